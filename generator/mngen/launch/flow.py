"""The order of events inside the runtime, as lines of the generated ``inside`` function."""

from __future__ import annotations

from collections.abc import Callable

from mngen.launch import derived, homes, hosts, image_checks, ray_options, secret_files, services
from mngen.launch.engines import amd_mask
from mngen.launch.job import asked, tunnel
from mngen.launch.layout import continued
from mngen.launch.names import expression, kept_variables, late, service_port
from mngen.launch.ranks import Ranks
from mngen.launch.settings import limits, past_proxy, unset, uses_proxy
from mngen.launch.texts import part, runs_here, runs_on_workers
from mngen.launch.words import quote, word
from mngen.manifest.fabrics import fabric
from mngen.manifest.judging.ray_token import asked_for
from mngen.manifest.model import Prepare, Runtime, Target, Variant, Where
from mngen.manifest.text import Ref, Text
from mngen.plan import Raw


def _steps(target: Target, ranks: Ranks, when: str, *, contained: bool) -> list[str]:
    out: list[str] = []
    for index, step in enumerate(target.prepare, start=1):
        if step.when == when and runs_here(step, ranks):
            lines = _step(index, step, late(target, contained=contained))
            out += ranks.on_head(lines) if step.on is Where.HEAD else lines
    return out


def _step(index: int, step: Prepare, variable: Callable[[str], str]) -> list[str]:
    name = quote(step.name or f"prepare {index}")
    lines = [f"write_prepare_{index}", f'run_step {name} "${{JOB_DIR}}/prepare_{index}.sh"']
    if step.creates:
        created = word(step.creates, variable)
        lines = [f"if [[ ! -e {created} ]]; then", *(f"  {line}" for line in lines), "fi"]
    return lines


def _checks(target: Target, *, contained: bool) -> list[str]:
    lines = []
    if target.resources.gpus:
        lines += ["check_gpus", *derived.kept_switches(target, late(target, contained=contained))]
    row = fabric(target.network.fabric)
    if row and row.check:
        lines.append("check_fabric")
    if ray_options.shared_memory(target):
        lines.append("check_shm")
    if target.ray.version:
        lines.append("check_ray_version")
    if asks_for_tokens(target):
        lines.append("check_ray_tokens")
    return lines + list(image_checks.modules(target).values())


def asks_for_tokens(target: Target) -> bool:
    """Whether the job must end where Ray has no tokens; a version that is named was judged, and is looked for."""
    return asked_for(target) and not target.ray.version


def before_ray(target: Target, ranks: Ranks, *, contained: bool) -> tuple[Raw, ...]:
    """From a bare shell on the node to the moment before ``ray start``."""
    variable = late(target, contained=contained)
    lines = hosts.lines(target, ranks)
    here = part(target, ranks)
    lines += _keeps(here, contained=contained)
    if target.env or unset(target) or limits(target):
        lines.append("set_environment")
    if not secret_files.in_batch(target):
        lines += secret_files.reads_copies(target) if contained else secret_files.reads(target)
    lines += [f"read_env_file {word(file, variable)}" for file in target.env_files]
    if target.debug.post_mortem:
        lines.append("export RAY_DEBUG_POST_MORTEM=1")
    if target.debug.legacy:
        lines.append("export RAY_DEBUG=legacy")
    lines += derived.exports(target)
    lines += past_proxy(target)
    if target.workdir:
        folder = word(target.workdir, variable)
        lines.append(f"cd {folder} || fail 78 'the workdir is missing:' {folder}")
    if target.setup:
        lines += ["write_setup", 'source_text "${JOB_DIR}/setup.sh"']
    lines += _checks(target, contained=contained)
    if target.preflight:
        judge = 'bash -eo pipefail "${JOB_DIR}/preflight.sh"'
        lines += ["write_preflight", f'{judge} || fail 77 "preflight failed on ${{NODE_NAME}}"']
    lines += _steps(target, ranks, "before-ray", contained=contained)
    lines += services.lines(here, ranks, contained=contained)
    if target.ray.unset_env_prefixes:
        lines.append("hide_launcher_variables")
    return tuple(Raw(line) for line in lines)


def _keeps(target: Target, *, contained: bool) -> list[str]:
    """Lines that keep what the node has in a variable before ``env`` changes it; into a container it is handed over."""
    if contained or target.runtime is Runtime.PYXIS:
        return []
    return [f"export HOST_{name}=${{{name}}}" for name in kept_variables(target)]


def before_driver(target: Target, *, contained: bool) -> tuple[Raw, ...]:
    """On the head, once the cluster is complete."""
    lines = _steps(target, Ranks.HEAD, "before-driver", contained=contained)
    if target.endpoint:
        port = service_port(target.endpoint.service) if target.endpoint.service else "GCS_PORT"
        file = word(target.endpoint.file, late(target, contained=contained))
        lines.append(f'write_endpoint {file} "${{{port}}}"')
    return tuple(Raw(line) for line in lines)


def log_dir(target: Target, base: str) -> Raw:
    """The log folder, for an assignment; one that is not absolute lies in ``base``, which is shell text."""
    folder = quote(target.logs.dir)
    return folder if target.logs.dir.startswith("/") else Raw(f"{base}/{folder}")


def _driver_log(name: str) -> Raw:
    """The driver's own log: one file for each attempt of each job."""
    stem, dot, suffix = name.rpartition(".")
    end = dot + suffix if stem else ""
    parts = (Ref("log_dir"), f"/{stem or suffix}-", Ref("job_id"), "-", Ref("attempt"), end)
    return word(Text(parts), expression(inside=False))


def drive(target: Target, *, report: bool, contained: bool, reach: Raw | None) -> tuple[Raw, ...]:
    """The driver itself; ``report`` when this process must end with the driver's status.

    ``reach`` makes the dashboard of a cluster that waits for drivers local, where the node's own name is of no use.
    """
    if target.driver.submit_from == "outside":
        variable, known = late(target, contained=contained), expression(inside=False)
        needed = (f'"{known(name)}=${{{variable(name)}}}"' for name in asked(target))
        way = reach or tunnel(target, "${NODE_NAME}", "${DASHBOARD_PORT}")
        arguments = continued((f'"{way}"', *needed), indent=4, used=15)
        return (Raw(f"keep_cluster {arguments}"),)
    lines = ['set_driver "$@"']
    if target.on_time_limit:
        passing = '"$(declare -f pass_time_limit); pass_time_limit"'
        lines.append(
            f"JOB_DIR=${{JOB_DIR}} SIGNAL={target.on_time_limit.signal} start_part time-limit bash -c {passing}"
        )
    lines += _run_driver(target, step=not report)
    if target.retry and not report:
        lines.append("notice_loss")
    if report:
        lines.append('return "$(readlink "${JOB_DIR}/driver.status")"')
    return tuple(Raw(line) for line in lines)


def _run_driver(target: Target, *, step: bool) -> list[str]:
    """The call, with the driver's own log; ``step`` where a signal that all processes get ends the node's work."""
    if not target.logs.driver:
        return ["run_driver"]
    signals = "TERM INT USR2" if step else "TERM INT"
    tee = f"(trap '' {signals} && exec tee -a {_driver_log(target.logs.driver)})"
    said = target.driver.submit == "direct" and driver_is_deaf(target, step=step)
    why = [] if said else ["# The log is there until the driver's last word, whatever ends it."]
    return [*why, f"exec > >{tee} 2>&1", "LOG_PID=$!", "run_driver"]


def keep_logs(target: Target, ranks: Ranks) -> tuple[Raw, ...]:
    """Where Ray's own logs are kept, at the end of a node's work."""
    if target.logs.ray_session == "always":
        return (Raw("keep_ray_logs"),)
    if target.logs.ray_session != "on-failure":
        return ()
    # The head's own status is 0 once the driver's is on file.
    failed = '[[ $(readlink "${JOB_DIR}/driver.status") != 0 ]]'
    head = f"{{ ((NODE_RANK == 0)) && {failed}; }}" if ranks.has_workers else failed
    asked = f"((status != 0)) || {head}" if ranks.has_head else "((status != 0))"
    return (Raw(f"if {asked}; then"), Raw("  keep_ray_logs"), Raw("fi"))


def leave(target: Target, ranks: Ranks, *, contained: bool, host_clears: bool = False) -> tuple[Raw, ...]:
    """At the end of a node's work, whatever ended it; ``host_clears`` leaves Ray's folder to the host's part."""
    lines = []
    if target.cleanup:
        lines += [
            "if [[ -n ${HEAD_ADDRESS} ]]; then # else nothing has run here, and what the text reads is not set",
            "  write_cleanup",
            '  bash "${JOB_DIR}/cleanup.sh" || say "warning: cleanup failed"',
            "fi",
        ]
    if target.endpoint and ranks.has_head:
        lines.append("withdraw_endpoint")
    if not host_clears:
        lines += keep_logs(target, ranks)
    if contained and not host_clears:
        # An image's root owns what is in these folders; the host's user could not remove it.
        lines.append('rm -rf -- "${JOB_DIR:?}"/*/')
    return tuple(Raw(line) for line in lines)


def _gpu_check(target: Target) -> str:
    """The module with ``check_gpus``."""
    if target.variant is Variant.CUDA:
        return "check_gpus_cuda"
    return "check_gpus_rocm" if amd_mask(target).startswith("HIP") else "check_gpus_rocm_before_2_45"


def _asks_for_a_page(target: Target) -> bool:
    return any(service.ready is not None and service.ready.http is not None for service in target.services)


def node_modules(target: Target, *, contained: bool) -> list[str]:
    """Shell modules that any node's lines call, besides those that every script has."""
    row = fabric(target.network.fabric)
    ready = [service.ready for service in target.services if service.ready]
    wanted = [
        (bool(limits(target)), "ulimits"),
        (bool(homes.mounted(target, expression(inside=False))), "own_home"),
        (any(s.file for s in target.secrets), "secret_files"),
        (bool(target.env_files), "env_files"),
        (uses_proxy(target), "no_proxy"),
        (bool(target.setup or target.host_setup or target.env_files), "user_text"),
        (bool(target.resources.gpus), _gpu_check(target)),
        (row is not None and bool(row.check), row.check if row else ""),
        (ray_options.shared_memory(target) is not None, "check_shm"),
        (bool(target.ray.version), "check_ray_version"),
        (asks_for_tokens(target), "check_ray_tokens"),
        *((True, name) for name in image_checks.modules(target)),
        (bool(target.ray.unset_env_prefixes), "ray_env"),
        (any(s.gpus for s in target.services), "service_gpus"),
        (bool(ready), "services"),
        (any(not r.command for r in ready), "service_listens"),
        *((_asks_for_a_page(target), name) for name in ("host_port", "service_http")),
        (target.logs.ray_session != "never", "ray_logs"),
        (contained and target.runtime.value in {"docker", "podman"}, "lifeline"),
    ]
    return [name for needed, name in wanted if needed]


def driver_is_deaf(target: Target, *, step: bool) -> bool:
    """Whether the driver must not see the signal that ends a step; one that is warned by it has to."""
    warned = target.on_time_limit is not None and target.on_time_limit.signal == "USR2"
    return step and not warned


def ends_slowly(target: Target) -> bool:
    """Whether the end of a node's work, cleaning up and copying, may take minutes."""
    return target.cleanup is not None or target.logs.ray_session != "never"


def head_modules(target: Target, *, step: bool) -> list[str]:
    """Shell modules that the head's lines call; ``step`` as for the driver's log."""
    direct = target.driver.submit == "direct"
    here = target.driver.submit_from == "head"
    joins = target.endpoint is not None or (here and not direct)
    wanted = [
        (bool(target.prepare), "prepare"),
        (joins and not _asks_for_a_page(target), "host_port"),
        (target.endpoint is not None, "endpoint"),
        (here and target.on_time_limit is not None, "time_limit"),
        (not here, "keep_cluster"),
        (here and direct, "run_driver"),
        (here and not direct, "run_ray_job"),
        (here and step and target.retry is not None, "notice_loss"),
    ]
    return [name for needed, name in wanted if needed]


def worker_modules(target: Target) -> list[str]:
    """Shell modules that a worker's lines call."""
    return ["prepare"] if any(map(runs_on_workers, target.prepare)) else []


def cluster_gpus(target: Target) -> Raw:
    """How many GPUs the head waits for."""
    return Raw(str(ray_options.cluster_gpus(target)))
