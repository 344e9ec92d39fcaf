"""What SkyPilot and dstack are asked for, and what both do to a node before its work begins."""

from __future__ import annotations

from msgspec.structs import replace

from mngen.launch import header
from mngen.launch.names import required_variables
from mngen.launch.sizes import to_bytes
from mngen.manifest.model import Container, Manifest, Memory, Network, Target
from mngen.manifest.text import Ref, Text
from mngen.plan import Raw
from mngen.targets import boot

_MIB, _GIB = 1024**2, 1024**3

BUCKETS = ("s3://", "gs://", "r2://", "cos://", "oci://", "https://", "azure://", "nebius://", "cw://", "coreweave://")


def gibibytes(size: str) -> int:
    """Return a size in whole GiB, never less than it is."""
    return -(-to_bytes(size) // _GIB)


def gigabyte_text(size: str) -> str:
    """Return a size as dstack writes it: ``128GB``, or ``1536MB`` where it is no whole number of GB.

    The unit is a power of 1024 there too: ``Memory.parse`` in
    https://github.com/dstackai/dstack/blob/master/src/dstack/_internal/core/models/resources.py
    """
    value = to_bytes(size)
    return f"{value // _GIB}GB" if value % _GIB == 0 else f"{-(-value // _MIB)}MB"


def memory_gibibytes(memory: Memory | None, cpus: int | None, gpus: int) -> int | None:
    """Return the memory of one node in whole GiB: per-CPU and per-GPU amounts are multiplied out.

    ``0``, all that a node has, asks for nothing where the machine is chosen by what is asked.
    """
    if memory is None or memory.per_node == "0":
        return None
    if memory.per_node is not None:
        return gibibytes(memory.per_node)
    factor, size = (cpus or 1, memory.per_cpu) if memory.per_cpu is not None else (gpus or 1, memory.per_gpu)
    return gibibytes(str(to_bytes(size or "0") * factor))


def image(target: Target) -> str | None:
    """Return the image's reference: the ready one, else the described one."""
    if target.image is not None and target.image.ref is not None:
        return target.image.ref
    return target.built_image.pulled if target.built_image is not None else None


def home_path(source: Text) -> str | None:
    """Return a path that needs no variable but the user's own home, which becomes ``~``; None for any other."""
    if source.literal is not None:
        return source.literal
    if source.refs == ("env.HOME",) and isinstance(source.parts[0], Ref):
        return "~" + "".join(part for part in source.parts if isinstance(part, str))
    return None


def code_folder(target: Target, source: str) -> str | None:
    """Return the way from the target's folder to the user's code; None when there is none on this machine."""
    if target.code is None or target.code.path is None:
        return None
    if target.code.path.startswith("/"):
        return target.code.path
    path = target.code.path.removeprefix("./").rstrip("/")
    return source if path in {"", "."} else f"{source}/{path}"


def in_image(target: Target) -> Target:
    """Return the target as its boot script sees it: without the fields that have no effect where it runs.

    There is no host part, no mount that the script makes, and the launcher chooses addresses and attempts.
    """
    return replace(
        target,
        mounts=(),
        container=Container(),
        host_setup=None,
        on_time_limit=None,
        retry=None,
        resume=None,
        network=Network(proxy=target.network.proxy, fabric=target.network.fabric),
    )


def ready(target: Target, folder: str) -> tuple[str, ...]:
    """Return the lines that follow once a node knows its rank and its head; ``folder`` is the job's, in shell text.

    A launcher may start a second run on a machine, whose ports and folder are the same: it must not
    clear away the first one's.
    """
    secrets = ["require_secrets"] if any(s.required and s.file is None for s in target.secrets) else []
    return (
        f'take_folder "{folder}"',
        *boot.log_lines(target),
        "CLUSTER_NODES=$(printf 'rank-%s ' $(seq 0 $((NODES - 1))))",
        "export CLUSTER_NODES",
        *boot.host_ids(target),
        *secrets,
        *required_variables(target),
        *boot.auth_lines(target),
        boot.cpus_line(target),
        "choose_node_address",
    )


def about(target: Target, manifest: Manifest, what: str) -> tuple[Raw, ...]:
    """Return the header of a document; ``what`` it is, with the client's version where the manifest names one."""
    version = f" {target.version}" if target.version else ""
    return header.comment(
        (
            f"{target.workload}: {what}{version}.",
            "",
            *header.ownership(manifest, target),
        )
    )
