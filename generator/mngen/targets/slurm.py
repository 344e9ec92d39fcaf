"""Slurm: one self-contained batch file, and two small helpers to submit and to look inside."""

from __future__ import annotations

from msgspec.structs import replace

from mngen.diagnostics import Diagnostic
from mngen.launch import address, flow, header, mounting, runtimes, secret_files, settings, texts
from mngen.launch.compose import KindParts, compose
from mngen.launch.job import dashboard_port
from mngen.launch.layout import continued
from mngen.launch.model import Context, LaunchScript, Setting, SlurmHelper
from mngen.launch.names import host_exports, required_around, uses_host_ids
from mngen.launch.ranks import together
from mngen.launch.words import quote
from mngen.manifest.capabilities import holds
from mngen.manifest.judging.slurm_options import first_task, given
from mngen.manifest.model import Manifest, Runtime, Target
from mngen.plan import Language, PlannedFile, Raw
from mngen.targets import boot, node_notes, ray_job, slurm_node
from mngen.targets import slurm_requeue as requeue
from mngen.targets.slurm_directives import directives, directives_output
from mngen.targets.slurm_logs import folder_name, log_name, placed
from mngen.targets.slurm_usage import usage

__all__ = ["api", "kind", "notes", "plan", "usage"]

kind = "slurm"
api = 1


def notes(target: Target, manifest: Manifest) -> list[Diagnostic]:
    """Say which fields have no effect on this kind."""
    del manifest
    return node_notes.slurm(target)


def _header(target: Target, manifest: Manifest) -> tuple[Raw, ...]:
    """What the file is, whose it is, what happens in it."""
    way = "" if target.runtime is Runtime.NONE else f", in {target.runtime.value}"
    goes_on = target.on_node_loss == "continue" and together(target).has_workers
    dies = "the head dies, the job ends and says so" if goes_on else "any part dies, the job ends and says which"
    the, drivers = ("", "") if target.driver.submit_from == "outside" else (" the", "driver's own, else ")
    lines = (
        Raw(header.purpose(target, way)),
        Raw(""),
        *header.ownership(manifest, target),
        Raw(""),
        Raw("The batch shell chooses the head's address, the ports and a token, and starts all nodes with one step."),
        Raw("Each checks itself and starts Ray. The first is the head: when all nodes and GPUs have joined,"),
        Raw(f"{header.ending(target)}. If {dies}. The job's exit status is{the}"),
        Raw(f"{drivers}one of the REASONS below."),
    )
    return header.comment(lines)


def _modules(target: Target, *, contained: bool) -> tuple[str, ...]:
    in_image = target.runtime is Runtime.PYXIS
    names = [
        "log",
        *address.modules(target, head=True, alone=not together(target).has_workers, python=in_image),
        "ports",
    ]
    if settings.secrets(target):
        names.append("secrets")
    names += ["parts", "wait_port", *flow.node_modules(target, contained=contained)]
    names += flow.head_modules(target, step=True)
    if target.retry is not None:
        names.append("retry")
    return tuple(dict.fromkeys(names))


def _step_options(target: Target) -> Raw:
    cpus = str(target.resources.cpus) if target.resources.cpus else '"${SLURM_CPUS_ON_NODE:-1}"'
    options = ['--nodes="${NODES}"', '--ntasks="${NODES}"', "--ntasks-per-node=1", f"--cpus-per-task={cpus}"]
    options += ["--overlap", f"--kill-on-bad-exit={int(target.on_node_loss == 'fail')}"]
    if target.on_node_loss == "continue":
        options.append("--no-kill")
    # A site's WaitTime would kill nodes that still end, or go on, soon after the first one has.
    options.append("--wait=0")
    # What sbatch was told about the environment, on its command line too, would hold for this step.
    options.append("--export=ALL")
    if target.runtime is Runtime.PYXIS:
        options += runtimes.pyxis_options(target)
    options += map(quote, target.slurm.srun_args)
    return continued(options, indent=4, used=7)


def _batch_enter(target: Target) -> tuple[Raw, ...]:
    lines = []
    if settings.secrets(target):
        lines.append("require_secrets")
    if boot.uses_token(target):
        lines.append("export RAY_AUTH_MODE=token")
    if uses_host_ids(target) and not runtimes.has_host_role(target):
        # Nodes of one part get these from here; with pyxis another user may be seen inside.
        lines += ["HOST_UID=$(id -u) HOST_GID=$(id -g)", "export HOST_UID HOST_GID"]
    if mounting.mounts_code(target):
        lines.append("export SUBMIT_DIR=${SLURM_SUBMIT_DIR}")
    if target.keeps_logs:
        # Where the job's own output is, which begins in the working directory (sbatch, --chdir).
        base = "${PWD}" if given(target, "chdir") else "${SLURM_SUBMIT_DIR}"
        lines.append(f"export LOG_DIR={flow.log_dir(target, base)}")
        if not runtimes.has_host_role(target):
            lines.append('mkdir -p "${LOG_DIR}" || exit 78')
    if target.runtime is Runtime.PYXIS:
        exported = [f"export {' '.join(host_exports(target))}"] if host_exports(target) else []
        lines += [*required_around(_host_setup(target), target), *exported]
        lines += [*mounting.required(target), *secret_files.reads(target)]
    return tuple(Raw(line) for line in lines)


def _host_setup(target: Target) -> list[str]:
    """Lines of the batch shell where ``srun`` enters the image at once, so that no node has a part outside of it."""
    if target.host_setup is None:
        return []
    rank = ["NODE_RANK=0"] if "node_rank" in target.host_setup.text.refs else []
    ended = "trap 'finish 78' EXIT # leaving the shell is a failure too"
    return [*rank, "write_host_setup", ended, 'source_text "${JOB_DIR}/host_setup.sh"', "trap 'finish $?' EXIT"]


def _patience(target: Target) -> int:
    """Tenths of a second for the nodes' end: cleaning up and copying may be slow, but a time limit does not wait."""
    return 6000 if flow.ends_slowly(target) and not requeue.driver_has(target) else 300


def _settings(target: Target) -> tuple[Setting, ...]:
    out = settings.common(target, chooses_head=True, own_address=True)
    return (*out, *settings.secrets(target), *requeue.settings(target), settings.REASONS)


def script(target: Target, manifest: Manifest) -> LaunchScript:
    """The whole batch file as data."""
    contained = runtimes.has_host_role(target)
    limit = target.on_time_limit
    parts = KindParts(
        header=_header(target, manifest),
        settings=_settings(target),
        modules=_modules(target, contained=contained),
        enter=slurm_node.enter_contained(target) if contained else slurm_node.enter_alone(target),
        leave=slurm_node.leave(target, contained=contained),
        ranks=together(target),
    )
    return replace(
        compose(target, parts, contained=contained),
        directives=directives(target),
        signal=quote(limit.signal) if limit else None,
        requeues=requeue.driver_has(target),
        retries=target.retry is not None,
        patience=_patience(target),
        follow=slurm_node.FOLLOW,
        head_status=slurm_node.head_status(target),
        inside_name=Raw("inside" if contained else "node"),
        who=slurm_node.who(target),
        choose_head=address.choose_head(target, alone=not together(target).has_workers),
        host_enter=slurm_node.host_enter(target) if contained else (),
        host_leave=slurm_node.host_leave(target) if contained else (),
        step_options=_step_options(target),
        temp_dir=quote(target.ray.temp_dir.rstrip("/")),
        batch_enter=_batch_enter(target),
        batch_leave=requeue.leave(target),
        token=target.ray.auth != "disabled" and not boot.uses_token(target),
        nodes_text=Raw(header.cluster(target)),
    )


def _code(target: Target) -> Raw:
    """A folder that the job mounts from where it is submitted, and which may not be there."""
    code = target.code
    path = mounting.beside(code.path) if code is not None and code.path and mounting.mounts_code(target) else ""
    return quote(path) if path else Raw("")


def _helper(target: Target, manifest: Manifest) -> SlurmHelper:
    """What submit.sh and attach.sh need."""
    required = [Raw(secret.name) for secret in target.secrets if secret.required and secret.file is None]
    output, errors = (placed(target, each) for each in (directives_output(target), given(target, "error")))
    folders = {path.rpartition("/")[0] for path in (output, errors) if "/" in path}
    return SlurmHelper(
        header=header.comment(header.ownership(manifest, target)),
        source=quote(manifest.source),
        secrets=tuple(required),
        code=_code(target),
        folders=tuple(name for folder in sorted(folders) if (name := folder_name(target, folder)) is not None),
        log=log_name(target, output),
        errors=log_name(target, errors),
        client=runtimes.client(target),
        runtime=target.runtime.value,
        task=Raw(first_task(target)),
        arguments=target.driver.submit_from == "head",
        warns=target.on_time_limit is not None,
        dashboard=target.ray.dashboard.enabled,
        port=dashboard_port(target),
        gpus=bool(target.resources.gpus),
        token=target.ray.auth != "disabled" and holds("ray-token-auth", target.ray.version) is not False,
    )


def plan(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """job.sbatch, submit.sh and attach.sh."""
    helper = _helper(target, manifest)
    job = PlannedFile(
        path=f"{target.name}/job.sbatch",
        language=Language.BASH,
        template="slurm/job.sbatch.j2",
        context=Context(script(target, manifest)),
        mode=0o755,
        user_texts=texts.user_texts(target, together(target)),
        group=target.name,
    )
    others = tuple(
        PlannedFile(
            path=f"{target.name}/{name}",
            language=Language.BASH,
            template=f"slurm/{name}.j2",
            context={"h": helper},
            mode=0o755,
            group=target.name,
        )
        for name in ("submit.sh", "attach.sh")
    )
    return (job, *others, *ray_job.outside(target, manifest))
