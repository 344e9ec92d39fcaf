"""The boot script of targets without a batch shell: every node runs it, told only its rank and the head."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from mngen.launch import address, flow, header, settings, texts
from mngen.launch.compose import KindParts, compose
from mngen.launch.model import Context, LaunchScript
from mngen.launch.names import required_variables, uses_host_ids
from mngen.launch.ranks import Ranks
from mngen.manifest.judging.ray_token import lists_token
from mngen.manifest.model import Manifest, Target, Where
from mngen.plan import Language, PlannedFile, Raw

TOLD = 143
"""Status of a node that was told to stop: what a shell reports for TERM."""


class Role(Struct, frozen=True, kw_only=True):
    """What one boot script does: for the head, for workers, or (SkyPilot, dstack) for both by rank."""

    enter: tuple[str, ...]
    """Lines that find out who and where this node is."""
    modules: tuple[str, ...]
    ranks: Ranks = Ranks.ALL
    contained: bool = False
    chooses_head: bool = False
    own_address: bool = False
    reach: Raw | None = None
    """The command by which the user reaches the dashboard, where it is not ssh to the node's own name."""


def uses_token(target: Target) -> bool:
    """Whether Ray's token comes from the user's secrets; without one the cluster has none, and says so."""
    return lists_token(target) and target.ray.auth != "disabled"


def auth_lines(target: Target) -> list[str]:
    """Ray 2.59 and later turn authentication on by themselves when they find a token file: always say which."""
    if uses_token(target):
        # One from a file is read later, and missed there.
        from_shell = any(s.name == "RAY_AUTH_TOKEN" and s.file is None for s in target.secrets)
        check = ['[[ -n ${RAY_AUTH_TOKEN:-} ]] || fail 78 "RAY_AUTH_TOKEN is not set"'] if from_shell else []
        return [*check, "export RAY_AUTH_MODE=token"]
    return [
        "export RAY_AUTH_MODE=disabled",
        'say "warning: this Ray has no token; whoever reaches its network can run code in it"',
    ]


def host_ids(target: Target) -> list[str]:
    """The user's ids, where something asks for one of them."""
    return ["HOST_UID=$(id -u) HOST_GID=$(id -g)", "export HOST_UID HOST_GID"] if uses_host_ids(target) else []


def cpus_line(target: Target) -> str:
    """The CPU count that Ray is told."""
    # nproc obeys these two, which are about the threads of one program (coreutils manual, "nproc invocation").
    return f"CPUS={target.resources.cpus or '$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)'}"


def log_lines(target: Target) -> list[str]:
    """The log folder, in the folder that the node starts in."""
    if not target.keeps_logs:
        return []
    made = 'mkdir -p "${LOG_DIR}" || fail 78 "cannot make the log folder ${LOG_DIR}"'
    return [f"LOG_DIR={flow.log_dir(target, '${PWD}')}", made]


def ready(target: Target, ranks: Ranks, *, set_up: bool = False) -> tuple[str, ...]:
    """Lines that follow once a node knows its rank, its head and its folder.

    ``set_up`` says that host_setup ran, and that what stands before it is done: nothing depends on where it goes.
    """
    secrets = ["require_secrets"] if any(s.required and s.file is None for s in target.secrets) else []
    return (
        "export CLUSTER_NODES",
        *(() if set_up else host_ids(target)),
        *secrets,
        *(() if set_up else required_variables(texts.part(target, ranks))),
        *auth_lines(target),
        cpus_line(target),
        *(() if set_up else log_lines(target)),
        *address.choose_own(target, ranks),
    )


def modules(target: Target, role: Role) -> tuple[str, ...]:
    """Shell modules of a boot script."""
    names = ["log", *role.modules, "own_folder"]
    if settings.secrets(target):
        names.append("secrets")
    names += ["parts", "wait_port"]
    names += flow.node_modules(texts.part(target, role.ranks), contained=role.contained)
    names += flow.head_modules(target, step=False) if role.ranks.has_head else flow.worker_modules(target)
    if role.ranks.has_workers:
        names.append("follow_head")
    return tuple(dict.fromkeys(names))


def leave(target: Target, ranks: Ranks, *, contained: bool) -> tuple[Raw, ...]:
    """At the end: nothing of the job stays on the machine."""
    lines = list(flow.leave(target, ranks, contained=contained))
    return tuple(lines) if contained else (*lines, Raw('rm -rf -- "${JOB_DIR}"'))


def boot(target: Target, role: Role, header: tuple[Raw, ...]) -> LaunchScript:
    """Return the script as data."""
    here = texts.part(target, role.ranks)
    found = settings.common(here, chooses_head=role.chooses_head, own_address=role.own_address)
    unused = set() if role.ranks.has_head else _head_only(target)
    parts = KindParts(
        header=header,
        settings=tuple(s for s in (*found, *settings.secrets(target)) if s.name not in unused),
        modules=modules(target, role),
        enter=tuple(Raw(line) for line in role.enter),
        leave=leave(target, role.ranks, contained=role.contained),
        ranks=role.ranks,
        reports=True,
        reach=role.reach,
    )
    return replace(
        compose(target, parts, contained=role.contained),
        told_status=TOLD,
        on_slurm=False,
        stop_signals=Raw("TERM INT"),
        patience=6000 if flow.ends_slowly(target) else 300,
        follow=_follow(role.ranks),
    )


def _follow(ranks: Ranks) -> tuple[Raw, ...]:
    """What a worker does once its Ray runs."""
    if not ranks.has_workers:
        return ()
    if not ranks.has_head:
        return (Raw("follow_head"),)
    return (Raw("if ((NODE_RANK > 0)); then"), Raw("  follow_head"), Raw("  return 0"), Raw("fi"))


def _head_only(target: Target) -> set[str]:
    """Settings that no line of a worker reads."""
    services = texts.part(target, Ranks.WORKERS).services
    asks_python = target.ray.version or flow.asks_for_tokens(target) or any(s.ready and s.ready.http for s in services)
    waits_long = any(p.when == "before-ray" and p.on is Where.HEAD for p in target.prepare)
    unused = {"NODES", "HOST_SUFFIX", "JOB_NAME", "RAY", "JOB_OPTIONS"}
    return unused | (set() if asks_python else {"RAY_PYTHON"}) | ({"READY_TIMEOUT"} if waits_long else set())


def explanation(target: Target, manifest: Manifest, who: str, ranks: Ranks) -> tuple[Raw, ...]:
    """The header of a boot script; ``who`` runs it, in one line or several."""
    return header.comment(
        (
            header.purpose(target, head=ranks.has_head),
            "",
            *header.ownership(manifest, target),
            "",
            *who.split("\n"),
            "Every node checks itself and starts Ray. Rank 0 is the head: when all nodes and GPUs have joined,",
            f"{header.ending(target)}; the others follow it to the end.",
            "",
            *header.statuses(target, head=ranks.has_head),
        )
    )


def file(target: Target, name: str, script: LaunchScript, ranks: Ranks) -> PlannedFile:
    """A launch script of the target as a planned file."""
    return PlannedFile(
        path=f"{target.name}/{name}",
        language=Language.BASH,
        template="shell/boot.sh.j2",
        context=Context(script),
        mode=0o755,
        user_texts=texts.user_texts(target, ranks),
        group=target.name,
    )
