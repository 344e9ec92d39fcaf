"""Hand-started machines: one file for the head, one for each worker, one to submit Ray jobs."""

from __future__ import annotations

from msgspec.structs import replace

from mngen.diagnostics import Diagnostic
from mngen.launch import address, engines, mounting, runtimes, secret_files, texts
from mngen.launch.header import below_out
from mngen.launch.names import host_exports, required_around, uses_host_ids
from mngen.launch.ranks import Ranks
from mngen.manifest.model import Manifest, Runtime, Target
from mngen.plan import PlannedFile, Raw
from mngen.targets import boot, node_notes, ray_job
from mngen.targets.secret_words import optional

kind = "manual"
api = 1


def notes(target: Target, manifest: Manifest) -> list[Diagnostic]:
    """Say which fields have no effect on hand-started machines."""
    del manifest
    return node_notes.manual(target)


def _who(target: Target, ranks: Ranks) -> list[str]:
    """Lines that find out which machine this is."""
    folder = target.ray.temp_dir.rstrip("/") + "/mngen-$(id -u)"
    rank = "0" if ranks.has_head else "${2:-${RANK:-1}}"
    lines = [
        f"NODE_RANK={rank} NODE_NAME=$(uname -n) JOB_ID=manual-$(id -u) ATTEMPT=0 CLUSTER_NODES=''",
        f"JOB_DIR={folder}",
    ]
    return [*lines, "take_folder"]


def _head(target: Target, ranks: Ranks) -> list[str]:
    """Lines that find the head."""
    if ranks.has_head:
        known = ['NODE_NAMES=("${NODE_NAME}")'] if target.network.host_suffix else []
        return [*known, "choose_head_address"]
    return [
        "HEAD_IP=${1:-${MASTER_ADDR:-}}",
        '[[ -n ${HEAD_IP} ]] || fail 78 "usage: worker.sh HEAD_ADDRESS [RANK]"',
        'find_head "${HEAD_IP}"',
    ]


def _enter(target: Target, ranks: Ranks) -> tuple[str, ...]:
    setup = required_around(_setup(target), texts.part(target, ranks))
    known = (*_who(target, ranks), *_head(target, ranks), *boot.host_ids(target), *boot.log_lines(target))
    return (*known, *setup, *boot.ready(target, ranks, set_up=True))


def _setup(target: Target) -> tuple[str, ...]:
    return ("write_host_setup", 'source_text "${JOB_DIR}/host_setup.sh"') if target.host_setup else ()


def _host_enter(target: Target, ranks: Ranks) -> tuple[Raw, ...]:
    exported = ["JOB_DIR JOB_ID ATTEMPT HEAD_IP NODE_RANK NODE_NAME NODE_IP NODE_INTERFACE CLUSTER_NODES CPUS"]
    lines, here = [*_who(target, ranks), *_head(target, ranks)], texts.part(target, ranks)
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
    machines = "the first machine" if head else "each further machine, as worker.sh HEAD"
    start = f"Start this file on {machines}, in the manifest's folder: relative paths begin there."
    engine = target.runtime in {Runtime.DOCKER, Runtime.PODMAN}
    inside = ("watch_lifeline",) if engine else ()
    role = boot.Role(
        enter=inside if contained else _enter(target, ranks),
        modules=(*address.modules(target, head=head, alone=True), *(() if head else ("head_named",))),
        ranks=ranks,
        contained=contained,
        chooses_head=True,
        own_address=True,
    )
    script = boot.boot(target, role, boot.explanation(target, manifest, start, ranks))
    if contained:
        leave = [Raw('rm -rf -- "${JOB_DIR}"')]
        if target.runtime in {Runtime.DOCKER, Runtime.PODMAN}:
            leave[:0] = engines.remove_container(target)
        script = replace(script, host_enter=_host_enter(target, ranks), host_leave=tuple(leave))
    return boot.file(target, "head.sh" if head else "worker.sh", script, ranks)


def plan(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """head.sh, worker.sh, and for Ray jobs submit.sh and runtime_env.yaml."""
    files = [_script(target, manifest, Ranks.HEAD)]
    if target.resources.nodes > 1:
        files.append(_script(target, manifest, Ranks.WORKERS))
    if target.driver.submit_from == "outside":
        files += ray_job.files(target, manifest, "submit.sh")
    return tuple(files)


def usage(target: Target, manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """Commands for the README: from the manifest's folder, since a script takes relative paths from where it is run."""
    folder = f"{below_out(manifest)}{target.name}"
    names = {"RAY_AUTH_TOKEN": None} if boot.uses_token(target) else {}
    names |= {secret.name: None for secret in target.secrets if secret.file is None}
    where = "On every machine, before anything starts there, with one value for all"
    lines = [(f"{where}{optional(target)}", f"export {' '.join(names)}")] if names else []
    place = "in the manifest's folder, where relative paths begin"
    lines = [*lines, (f"On the first machine, {place}", f"bash {folder}/head.sh")]
    if target.resources.nodes > 1:
        further = "On each further machine, in the same folder, with the head's address"
        lines.append((further, f"bash {folder}/worker.sh HEAD_ADDRESS RANK"))
    lines += ray_job.usage(target, "submit.sh", folder)
    return tuple(lines)
