"""The cluster that a launch file asks for: how many nodes, what each has, how they are connected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_network

from mngen.checks.foreign.document import Document
from mngen.checks.options import Parsed
from mngen.checks.sbatch_text import parsed_directives
from mngen.errors import UsageError
from mngen.rehearse.nets import Net
from mngen.rehearse.settings import number, setting
from mngen.rehearse.subject import Kind, Subject

MOST_NODES = 16
"""More than that show nothing new, and every one costs this machine some processes."""
DEFAULT_RAY = "2.52.1"
_ROCM = re.compile(r"/dev/kfd|HIP_VISIBLE_DEVICES|--rocm\b|rocm-smi")
_LISTED = re.compile(r"([^,\[]+)(?:\[([^\]]+)\])?,?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A cluster as a launch file sees it."""

    names: tuple[str, ...]
    """The nodes' names, in Slurm's order."""
    gpus: int
    """GPUs of each node."""
    vendor: str
    """``cuda`` or ``rocm``."""
    cpus: int
    """CPUs of each node."""
    shm_kib: int
    """Size of ``/dev/shm`` in KiB."""
    ray: str
    """The release of Ray on the nodes."""
    net: Net
    """How they are connected."""


def shape(subject: Subject, nodes: int | None, network: str | None) -> Shape:
    """Read it; ``nodes`` and ``network`` (``ipv4``, ``ipv6``, ``dual``) say otherwise.

    Raises ``UsageError`` for a number of nodes that cannot be rehearsed.
    """
    text = subject.script
    slurm = parsed_directives(text) if subject.kind is Kind.SLURM else Parsed((), (), ())
    count = nodes or _nodes(subject, slurm)
    if not 1 <= count <= MOST_NODES:
        raise UsageError(f"{count} nodes cannot be rehearsed", hint=f"1 to {MOST_NODES} can: --nodes 4")
    given = (slurm.value("--cpus-per-task") or "1", slurm.value("--ntasks-per-node") or "1")
    cpus = int(given[0]) * int(given[1]) if all(word.isdigit() for word in given) else 1
    return Shape(
        names=_names(slurm.value("--nodelist") or "", count),
        gpus=number(text, "GPUS") or _gpus(subject.document, slurm, count),
        vendor="rocm" if _ROCM.search(text) else "cuda",
        cpus=max(cpus, 8),
        shm_kib=max(number(text, "SHM_KIB"), 65536),
        ray=next(iter(setting(text, "RAY_VERSION")), DEFAULT_RAY),
        net=_net(text, network),
    )


def _nodes(subject: Subject, slurm: Parsed) -> int:
    document = subject.document
    if subject.kind is Kind.SLURM:
        least = (slurm.value("--nodes") or "").partition("-")[0]
        tasks, each = slurm.value("--ntasks") or "", slurm.value("--ntasks-per-node") or "1"
        if not least and tasks.isdigit() and each.isdigit():
            return -(-int(tasks) // int(each))
        return int(least) if least.isdigit() else 1
    item = document.get("num_nodes" if subject.kind is Kind.SKYPILOT else "nodes")
    text = item.text if item is not None else None
    return int(text) if text and text.isdigit() else number(subject.script, "NODES") or 1


def _gpus(document: Document, slurm: Parsed, nodes: int) -> int:
    for option in ("gpus-per-node", "gres", "gpus"):
        count = re.fullmatch(r"(?:gpu:?)?(?:[^:,]+:)?(\d+)", slurm.value(f"--{option}") or "")
        if count:
            return int(count[1]) // (nodes if option == "gpus" else 1)
    item = document.get("resources", "accelerators") or document.get("resources", "gpu")
    found = re.search(r":(\d+)(?::|$)", (item.text or "") if item is not None else "")
    return int(found[1]) if found else 0


def _names(nodelist: str, count: int) -> tuple[str, ...]:
    names: list[str] = []
    for prefix, ranges in _LISTED.findall(nodelist):
        for part in ranges.split(",") if ranges else [""]:
            first, _, last = part.partition("-")
            if not ranges:
                names.append(prefix)
            elif first.isdigit() and (last or first).isdigit():
                names += [f"{prefix}{n:0{len(first)}d}" for n in range(int(first), int(last or first) + 1)]
    names = names[:count]
    more = (f"node{n}" for n in range(1, count + 1))
    return (*names, *(name for name in more if name not in names))[:count]


def _net(text: str, network: str | None) -> Net:
    versions = setting(text, "IP_VERSIONS") or ("4", "6")
    family = network or ("dual" if len(versions) > 1 else f"ipv{versions[0]}")
    way, _, where = " ".join(setting(text, "ADDRESS_FILTER")).partition(" ")
    suffix = next(iter(setting(text, "HOST_SUFFIX")), "")
    if way == "dev":
        return Net(family, nics=2, interface=where)
    if suffix:
        return Net(family, nics=2, suffix=suffix)
    if way == "to" and not ip_network("10.77.0.0/16").subnet_of(ip_network(where, strict=False)):  # type: ignore[arg-type] # of one version, or TypeError
        return Net(family, nics=2, range=where)
    return Net(family)
