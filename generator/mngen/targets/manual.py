"""Hand-started machines: one file for the head, one for each worker, one to submit Ray jobs."""

from __future__ import annotations

import re

from msgspec.structs import replace

from mngen.diagnostics import Diagnostic
from mngen.launch import address, engines, mounting, runtimes, secret_files, texts
from mngen.launch.header import folder
from mngen.launch.job import tunnel
from mngen.launch.names import host_exports, required_around, uses_host_ids
from mngen.launch.ranks import Ranks
from mngen.manifest.model import Manifest, Target
from mngen.plan import PlannedFile, Raw
from mngen.targets import boot, node_notes, ray_job
from mngen.targets.secret_words import typed

kind = "manual"
api = 1

_START_HEAD = "Start this file on the first machine, in the manifest's folder: relative paths begin there."
_START_WORKER = """\
Start this file on each further machine, as worker.sh HEAD_IP RANK, in the manifest's folder: paths begin there.
HEAD_IP is the address that head.sh prints, without a port; RANK counts from 1 to {last}."""
_START_ONLY_WORKER = """\
Start this file on the other machine, as worker.sh HEAD_IP, in the manifest's folder: relative paths begin there.
HEAD_IP is the address that head.sh prints, without a port."""
_WORDS = "HEAD_IP is the address that head.sh prints, without a port; RANK counts from 1"


def _start_worker(workers: int) -> str:
    """Return the sentence that says how a worker is started."""
    return _START_ONLY_WORKER if workers == 1 else _START_WORKER.format(last=workers)


def notes(target: Target, manifest: Manifest) -> list[Diagnostic]:
    """Say which fields have no effect on hand-started machines."""
    del manifest
    return node_notes.manual(target)


def _who(target: Target, ranks: Ranks) -> list[str]:
    """Lines that find out which machine this is."""
    folder = target.ray.temp_dir.rstrip("/") + "/mngen-$(id -u)"
    rank = "0" if ranks.has_head else "${2:-${RANK:-}}" if target.resources.nodes > 2 else "${2:-${RANK:-1}}"
    return [
        f"NODE_RANK={rank} NODE_NAME=$(uname -n) JOB_ID=manual-$(id -u) ATTEMPT=0 CLUSTER_NODES=''",
        'command -v ip >/dev/null || fail 77 "the program ip (of iproute2) is missing on ${NODE_NAME}"',
        f'take_folder "{folder}"',
    ]


def _head(target: Target, manifest: Manifest, ranks: Ranks) -> list[str]:
    """Lines that find the head."""
    if ranks.has_head:
        known = ['NODE_NAMES=("${NODE_NAME}")'] if target.network.host_suffix else []
        return [*known, "choose_head_address", *_told(target, manifest)]
    last = target.resources.nodes - 1
    words = "HEAD_IP RANK" if last > 1 else "HEAD_IP"
    rank = f"RANK counts from 1 to {last}" if last > 1 else "RANK is 1, where it is set"
    return [
        "HEAD_IP=${1:-${MASTER_ADDR:-}}",
        "[[ -n ${HEAD_IP} && ${NODE_RANK} =~ ^[1-9][0-9]*$ ]] \\",
        f'  || fail 78 "usage: worker.sh {words}; HEAD_IP is without a port, {rank}"',
        'find_head "${HEAD_IP}"',
    ]


def _told(target: Target, manifest: Manifest) -> list[str]:
    """Lines that say how workers are started: nobody but the head knows the address that it chose."""
    workers = target.resources.nodes - 1
    if not workers:
        return []
    file = re.sub(r'([\\$`"])', r"\\\1", f"{folder(manifest, target)}/worker.sh")
    whom, rank = (
        ("the other machine", "1") if workers == 1 else (f"each other machine, RANK from 1 to {workers}", "RANK")
    )
    return [f'say "start on {whom}: bash {file} ${{HEAD_IP}} {rank}"']


def _enter(target: Target, manifest: Manifest, ranks: Ranks) -> tuple[str, ...]:
    setup = required_around(_setup(target), texts.part(target, ranks))
    known = (*_who(target, ranks), *_head(target, manifest, ranks), *boot.host_ids(target), *boot.log_lines(target))
    return (*known, *setup, *boot.ready(target, ranks, set_up=True))


def _setup(target: Target) -> tuple[str, ...]:
    return ("write_host_setup", 'source_text "${JOB_DIR}/host_setup.sh"') if target.host_setup else ()


def _host_enter(target: Target, manifest: Manifest, ranks: Ranks) -> tuple[Raw, ...]:
    exported = ["JOB_DIR JOB_ID ATTEMPT HEAD_IP NODE_RANK NODE_NAME NODE_IP NODE_INTERFACE CLUSTER_NODES CPUS"]
    lines, here = [*_who(target, ranks), *_head(target, manifest, ranks)], texts.part(target, ranks)
    lines.append('cp -- "${BASH_SOURCE[0]}" "${JOB_DIR}/job.sh"')
    if any(s.required and s.file is None for s in target.secrets):
        lines.append("require_secrets")
    exported += host_exports(here)
    if uses_host_ids(target):
        lines.append("HOST_UID=$(id -u) HOST_GID=$(id -g)")
        exported += ["HOST_UID", "HOST_GID"]
    lines += [*boot.auth_lines(target), boot.cpus_line(target), *boot.log_lines(target)]
    if mounting.mounts_code(target):
        lines.append("SUBMIT_DIR=${PWD}")
    if target.keeps_logs:
        exported.append("LOG_DIR")
    lines += [*required_around(_setup(target), here), *secret_files.copies(target)]
    lines += [*address.choose_own(target, ranks), f"export {' '.join(exported)}", *mounting.required(target)]
    return tuple(Raw(line) for line in lines)


def _script(target: Target, manifest: Manifest, ranks: Ranks) -> PlannedFile:
    contained, head = runtimes.has_host_role(target), ranks.has_head
    start = _START_HEAD if head else _start_worker(target.resources.nodes - 1)
    engine = target.runtime.is_engine
    inside = ("watch_lifeline",) if engine else ()
    role = boot.Role(
        enter=inside if contained else _enter(target, manifest, ranks),
        modules=(*address.modules(target, head=head, alone=True), *(() if head else ("head_named",))),
        ranks=ranks,
        contained=contained,
        chooses_head=True,
        own_address=True,
    )
    script = boot.boot(target, role, boot.explanation(target, manifest, start, ranks))
    if contained:
        leave = [Raw('rm -rf -- "${JOB_DIR}"')]
        if target.runtime.is_engine:
            leave[:0] = engines.remove_container(target)
        script = replace(script, host_enter=_host_enter(target, manifest, ranks), host_leave=tuple(leave))
    return boot.file(target, "head.sh" if head else "worker.sh", script, ranks)


def plan(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """head.sh, worker.sh, and for Ray jobs submit.sh and runtime_env.yaml."""
    files = [_script(target, manifest, Ranks.HEAD)]
    if target.resources.nodes > 1:
        files.append(_script(target, manifest, Ranks.WORKERS))
    if target.driver.submit_from == "outside":
        files += ray_job.files(target, manifest, "submit.sh")
    return tuple(files)


def _all_workers(here: str) -> tuple[str, str]:
    """The command that starts all workers by ssh, which takes no variables of this shell along."""
    remote = f'cd $(printf %q "${{PWD}}") && bash {here}/worker.sh HEAD_IP ${{rank}}'
    loop = f'while read -r host; do rank=$((rank + 1)); ssh -n "${{host}}" "{remote}" & done <HOSTS'
    return "Or all of them from one shell, where HOSTS is a file with a name in each line", f"rank=0; {loop}; wait"


def usage(target: Target, manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """Commands for the README: from the manifest's folder, since a script takes relative paths from where it is run."""
    here, workers = folder(manifest, target), target.resources.nodes - 1
    names = {"RAY_AUTH_TOKEN": None} if boot.uses_token(target) else {}
    names |= {secret.name: None for secret in target.secrets if secret.file is None}
    where = f"Set {', '.join(names)} on every machine before anything starts there, with one value for all"
    lines = [typed(where, tuple(names), target)] if names else []
    place = "in the manifest's folder, where relative paths begin"
    lines = [*lines, (f"On the first machine, {place}; Ctrl-C there ends the whole run", f"bash {here}/head.sh")]
    if workers == 1:
        further = "On the other machine, in the same folder; HEAD_IP is the address that head.sh prints, without a port"
        lines.append((further, f"bash {here}/worker.sh HEAD_IP"))
    elif workers:
        further = f"On each further machine, in the same folder; {_WORDS} to {workers}"
        lines.append((further, f"bash {here}/worker.sh HEAD_IP RANK"))
        lines += [] if names else [_all_workers(here)]
    if target.driver.submit_from == "head" and target.ray.dashboard.enabled:
        lines.append(("Reach the dashboard", tunnel(target, "HEAD_IP")))
    lines += ray_job.usage(target, "submit.sh", here)
    return tuple(lines)
