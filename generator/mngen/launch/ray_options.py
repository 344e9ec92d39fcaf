"""The options of ``ray start``, for the head, the workers and both.

All of these exist from Ray 2.9 to 2.60 (``ray/scripts/scripts.py`` of both). ``--temp-dir`` is given to
the head only: workers take the head's up to 2.54 and ``RAY_TMPDIR`` from 2.55 on, and both name the
same folder here.
"""

from __future__ import annotations

from mngen.launch.layout import continued
from mngen.launch.sizes import to_bytes
from mngen.launch.words import quote
from mngen.manifest.model import Target
from mngen.plan import Raw


def cluster_gpus(target: Target) -> int:
    """GPUs that Ray deals out on the whole cluster: without those of services and of a head without GPUs."""
    of_services = sum(service.gpus for service in target.services if service.on.value == "every-node")
    on_head = sum(service.gpus for service in target.services if service.on.value == "head")
    per_node = target.resources.gpus - of_services
    head = target.ray.head_gpus if target.ray.head_gpus is not None else target.resources.gpus
    return max(0, head - of_services - on_head) + per_node * (target.resources.nodes - 1)


def common(target: Target) -> Raw:
    """Options of every node, beside its names and its share."""
    ray = target.ray
    options: list[str] = ['"${PORT_OPTIONS[@]}"']
    if ray.object_store:
        options.append(f"--object-store-memory={to_bytes(ray.object_store)}")
    if target.debug.legacy:
        options.append("--ray-debugger-external")
    options += [quote(option) for option in ray.start_args]
    options.append("--block")
    return continued(options, indent=4)


def head(target: Target) -> Raw:
    """Options of the head alone."""
    ray = target.ray
    options = ['--port="${GCS_PORT}"', '"${client_port[@]}"', '--temp-dir="${JOB_DIR}/r"']
    if ray.dashboard.enabled:
        # A head on IPv6 listens on "::", which takes IPv4 too where both are there.
        every = '"$([[ ${HEAD_IP} == *:* ]] && echo :: || echo 0.0.0.0)"'
        host = '"${LOOPBACK}"' if ray.dashboard.bind == "loopback" else every
        options += [f"--dashboard-host={host}", '--dashboard-port="${DASHBOARD_PORT}"']
    else:
        options.append("--include-dashboard=false")
    options += [quote(option) for option in ray.head_args]
    return continued(options, indent=4, used=19)


def worker(target: Target) -> Raw:
    """Options of the workers alone, each after a blank."""
    return Raw("".join(f" {quote(option)}" for option in target.ray.worker_args))


def command(target: Target) -> Raw:
    """The words that call Ray."""
    return Raw(" ".join(quote(part) for part in target.ray.command))


def start_command(target: Target) -> Raw:
    """The words that start Ray, without launcher variables where asked (``templates/shell/ray_env.sh``)."""
    without = 'env "${RAY_WITHOUT[@]}" ' if target.ray.unset_env_prefixes else ""
    return Raw(without + command(target))


def python(target: Target) -> Raw:
    """The Python that Ray lives in: beside a full path, behind the same prefix, else ``python3``."""
    *before, program = target.ray.command
    folder, slash, _ = program.rpartition("/")
    return Raw(" ".join(quote(part) for part in (*before, f"{folder}{slash}python3")))
