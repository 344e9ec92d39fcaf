"""What a node of a Slurm job does first and last; the batch shell does the rest for all of them."""

from __future__ import annotations

from mngen.launch import address, engines, flow, mounting, secret_files
from mngen.launch.names import host_exports, required_around, uses_host_ids
from mngen.launch.ranks import Ranks, together
from mngen.manifest.model import Runtime, Target
from mngen.plan import Raw

FOLLOW = (Raw("((NODE_RANK == 0)) || wait_while true # a worker goes on until the step is told to end"),)
_HEAD_STATUS = '((NODE_RANK > 0 || status == 0)) || ln -s "${status}" "${JOB_DIR}/head.status" 2>/dev/null'
# Late: a node that is told to end while it takes them, as when all nodes fail together, leaves their folder.
_TAKE_PORTS = 'take_ports "${PORT_BLOCK}" 1'


def who(target: Target) -> tuple[Raw, ...]:
    """Lines by which a node knows itself."""
    name = Raw("NODE_RANK=${SLURM_NODEID} NODE_NAME=${SLURMD_NODENAME}")
    others = together(target).on_workers("PORT_LOCK='' # the batch shell has the first node's")
    return (name, *(Raw(line) for line in others))


def _cpus(target: Target) -> str:
    """The CPU count that Ray is told; an allocation without one has the step's own set."""
    if target.resources.cpus:
        return str(target.resources.cpus)
    return "${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-$(nproc)}}"


def _facts(target: Target) -> list[str]:
    """Lines at the start of a node's work that only Slurm can answer."""
    if target.runtime is Runtime.PYXIS:
        return []  # the batch shell has done it
    setup = ("write_host_setup", 'source_text "${JOB_DIR}/host_setup.sh"') if target.host_setup else ()
    return required_around(setup, target)


def enter_alone(target: Target) -> tuple[Raw, ...]:
    """Without a host role: what a node does first, in the one part that it has."""
    ranks = together(target)
    own = address.choose_own(target, ranks, python=target.runtime is Runtime.PYXIS)
    lines = (*_facts(target), f"CPUS={_cpus(target)}", *own, *ranks.on_workers(_TAKE_PORTS))
    return tuple(Raw(line) for line in lines)


def enter_contained(target: Target) -> tuple[Raw, ...]:
    """What a node does first inside its container."""
    return (Raw("watch_lifeline"),) if target.runtime.is_engine else ()


def host_enter(target: Target) -> tuple[Raw, ...]:
    """What a node does before its container."""
    ranks = together(target)
    exported = [f"NODE_RANK NODE_NAME NODE_IP NODE_INTERFACE CPUS={_cpus(target)}"]
    exported += host_exports(target)
    lines = []
    if uses_host_ids(target):
        lines.append("HOST_UID=$(id -u) HOST_GID=$(id -g)")
        exported += ["HOST_UID", "HOST_GID"]
    lines += [*_facts(target), *address.choose_own(target, ranks), f"export {' '.join(exported)}"]
    lines += secret_files.copies(target)
    if target.keeps_logs:
        lines.append('mkdir -p "${LOG_DIR}" || exit 78')
    lines += [*mounting.required(target), *ranks.on_workers(_TAKE_PORTS)]
    return tuple(Raw(line) for line in lines)


def head_status(target: Target) -> tuple[Raw, ...]:
    """The head tells the batch shell its own status, which a step of several nodes ends without.

    Before it waits for anything: a process that even SIGKILL does not end, on a lost GPU, would keep the reason back.
    """
    return (Raw(_HEAD_STATUS),) if together(target).has_workers or target.retry is not None else ()


def _clear(ranks: Ranks) -> list[str]:
    """Nothing of the job stays on the node."""
    batch = 'running "${BATCH_PID}"'
    here = f"{{ ((NODE_RANK == 0)) && {batch}; }}" if ranks.has_workers else batch
    why = "# On the first node the batch shell does this, unless it was killed."
    return [why, f'{here} || rm -rf -- "${{JOB_DIR}}" "${{PORT_LOCK}}"']


def host_leave(target: Target) -> tuple[Raw, ...]:
    """What a node does after its container."""
    ranks = together(target)
    lines: list[Raw] = [*head_status(target)]
    if target.runtime.is_engine:
        lines += engines.remove_container(target)
    if target.runtime in {Runtime.APPTAINER, Runtime.PREFIX}:  # see below; a prefix may be Apptainer too
        lines += flow.keep_logs(target, ranks)
    return (*lines, *(Raw(line) for line in _clear(ranks)))


def leave(target: Target, *, contained: bool) -> tuple[Raw, ...]:
    """What a node does last where Ray runs."""
    # Slurm ends every process of a step at once, squashfuse too, by which Apptainer mounts an image for a user: inside,
    # no program can be run then. The files belong to the same user outside.
    host_clears, ranks = target.runtime is Runtime.APPTAINER, together(target)
    kept = flow.leave(target, ranks, contained=contained, host_clears=host_clears)
    cleared = [] if contained else _clear(ranks)
    return (*kept, *(Raw(line) for line in cleared))
