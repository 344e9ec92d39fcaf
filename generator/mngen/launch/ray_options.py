"""The options of ``ray start``, for the head, the workers and both.

All of these exist from Ray 2.9 to 2.60 (``ray/scripts/scripts.py`` of both). ``--temp-dir`` is each node's own from
2.55 on; before, a worker takes the head's path and says in its log that it ignores the option.
"""

from __future__ import annotations

from collections.abc import Callable

from mngen.launch import ports
from mngen.launch.layout import continued, wrap
from mngen.launch.sizes import to_bytes
from mngen.launch.words import quote, words
from mngen.manifest import gpu_share as shared
from mngen.manifest.model import Target
from mngen.manifest.ray_python import python_of
from mngen.plan import Raw


def common(target: Target, variable: Callable[[str], str]) -> Raw:
    """Options of every node, after those of its role; ``variable`` names each placeholder's."""
    ray = target.ray
    options: list[str] = ["--block", '--temp-dir="${JOB_DIR}/r"']
    options += ['--node-ip-address="${NODE_IP}"', '--node-name="${NODE_NAME}"']
    options.append('--num-cpus="${CPUS}"')
    head_gpus, worker_gpus = gpu_share(target)
    if head_gpus == worker_gpus:
        options.append(f"--num-gpus={head_gpus}")
    options += ports.options(target)
    if ray.object_store:
        options.append(f"--object-store-memory={to_bytes(ray.object_store)}")
    if target.debug.legacy:
        options.append("--ray-debugger-external")
    options += words(ray.start_args, variable)
    return continued(options, indent=4, used=4)


def gpu_share(target: Target) -> tuple[int, int]:
    """GPUs that Ray deals out on the head and on a worker."""
    return shared.gpu_share(target.resources.gpus, target.services, target.ray.head_gpus)


def cluster_gpus(target: Target) -> int:
    """GPUs that Ray deals out on the whole cluster."""
    return shared.ray_gpus(target.resources.nodes, target.resources.gpus, target.services, target.ray.head_gpus)


def head(target: Target, variable: Callable[[str], str]) -> Raw:
    """Options of the head alone, as the value of an array."""
    ray, known = target.ray, ports.values(target)
    options = ["--head", '--port="${GCS_PORT}"']
    head_gpus, worker_gpus = gpu_share(target)
    if head_gpus != worker_gpus:
        options.append(f"--num-gpus={head_gpus}")
    if ray.dashboard.enabled:
        # A head on IPv6 listens on "::", which takes IPv4 too where both are there.
        every = '"$([[ ${HEAD_IP} == *:* ]] && echo :: || echo 0.0.0.0)"'
        host = '"${LOOPBACK}"' if ray.dashboard.bind == "loopback" else every
        options += [f"--dashboard-host={host}", f"--dashboard-port={known['dashboard']}"]
    else:
        options.append("--include-dashboard=false")
    lines = wrap((*options, *words(ray.head_args, variable)))
    return Raw(f"({lines[0]})" if len(lines) == 1 else "\n    ".join(("(", *lines)) + "\n  )")


def client(target: Target) -> Raw:
    """The head's option for the port of Ray's client server."""
    return Raw(f"--ray-client-server-port={ports.values(target)['client']}")


def worker(target: Target, variable: Callable[[str], str]) -> Raw:
    """Options of the workers alone, each after a blank."""
    head_gpus, worker_gpus = gpu_share(target)
    own = [] if head_gpus == worker_gpus else [f"--num-gpus={worker_gpus}"]
    return Raw("".join(f" {option}" for option in (*own, *words(target.ray.worker_args, variable))))


def command(target: Target) -> Raw:
    """The words that call Ray."""
    return Raw(" ".join(quote(part) for part in target.ray.command))


def start_command(target: Target) -> Raw:
    """The words that start Ray, without launcher variables where asked (``templates/shell/ray_env.sh``)."""
    without = 'env "${RAY_WITHOUT[@]}" ' if target.ray.unset_env_prefixes else ""
    return Raw(without + command(target))


def python(target: Target) -> Raw:
    """The Python that Ray lives in."""
    return Raw(" ".join(quote(part) for part in target.ray.python or python_of(target.ray.command)))


def shared_memory(target: Target) -> str | None:
    """What a node's ``/dev/shm`` has to have: what the manifest says, else room for Ray's object store.

    ``ray start`` ends where the store does not fit ("exceeds /dev/shm size", python/ray/_private/services.py).
    """
    elsewhere = any(name == "RAY_OBJECT_STORE_ALLOW_SLOW_STORAGE" for name, _ in target.env)
    return target.resources.shm or (None if elsewhere else target.ray.object_store)
