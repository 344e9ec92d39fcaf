"""The cluster that a launch file asks for: how many nodes, what each has, how they are connected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from itertools import islice

from msgspec import Struct

from mngen.checks.foreign.document import Document
from mngen.checks.options import Parsed
from mngen.checks.sbatch_text import parsed_directives
from mngen.errors import UsageError
from mngen.manifest.whole_numbers import whole_number
from mngen.rehearse.nets import Net
from mngen.rehearse.settings import number, setting
from mngen.rehearse.subject import Kind, Subject
from mngen.rehearse.vendors import vendor

MOST_NODES = 16
"""More than that show nothing new, and every one costs this machine some processes."""
MOST_GPUS = 64
"""GPUs of a node: each costs files on it."""
DEFAULT_RAY = "2.52.1"
_LISTED = re.compile(r"([^,\[]+)(?:\[([^\]]+)\])?,?")


class Shape(Struct, frozen=True, kw_only=True):
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

    Raises ``UsageError`` for numbers that cannot be rehearsed, or that Slurm refuses.
    """
    text = subject.script
    slurm = parsed_directives(text) if subject.kind is Kind.SLURM else Parsed((), (), ())
    count = nodes or _nodes(subject, slurm)
    if not 1 <= count <= MOST_NODES:
        raise UsageError(f"{count} nodes cannot be rehearsed", hint=f"1 to {MOST_NODES} can: --nodes 4")
    gpus = number(text, "GPUS") or _gpus(subject.document, slurm, count)
    if gpus > MOST_GPUS:
        raise UsageError(f"{gpus} GPUs a node cannot be rehearsed", hint=f"up to {MOST_GPUS} can")
    return Shape(
        names=_names(slurm.value("--nodelist") or "", count),
        gpus=gpus,
        vendor=vendor(subject, slurm),
        cpus=max(_counted(slurm, "--cpus-per-task") * _counted(slurm, "--ntasks-per-node"), 8),
        shm_kib=max(number(text, "SHM_KIB"), 65536),
        ray=next(iter(setting(text, "RAY_VERSION")), DEFAULT_RAY),
        net=_net(text, network, count),
    )


def _nodes(subject: Subject, slurm: Parsed) -> int:
    if subject.kind is Kind.SLURM:
        least = (slurm.value("--nodes") or "").partition("-")[0]
        tasks, each = _counted(slurm, "--ntasks"), _counted(slurm, "--ntasks-per-node")
        if not least:
            return -(-tasks // each)
        return _whole("--nodes", least)
    return subject.task.nodes if subject.task is not None else number(subject.script, "NODES") or 1


def _counted(slurm: Parsed, option: str) -> int:
    """Return the number of a directive, 1 without it; sbatch takes none below 1 (`arg_set_…` in its slurm_opt.c)."""
    found = _whole(option, slurm.value(option) or "1")
    if found == 0:
        raise UsageError(f"{option} is 0, which sbatch refuses", hint=f"{option}=1")
    return found


def _whole(option: str, text: str) -> int:
    found = whole_number(text)
    if found is None:
        raise UsageError(f"{option} is `{text[:40]}`, which is no whole number", hint=f"{option}=1")
    return found


def _gpus(document: Document, slurm: Parsed, nodes: int) -> int:
    for option in ("gpus-per-node", "gres", "gpus"):
        count = re.fullmatch(r"(?:gpu:?)?(?:[^:,]+:)?([0-9]+)", slurm.value(f"--{option}") or "")
        if count:
            return _whole(f"--{option}", count[1]) // (nodes if option == "gpus" else 1)
    item = document.get("resources", "accelerators") or document.get("resources", "gpu")
    found = re.search(r":([0-9]+)(?::|$)", (item.text or "") if item is not None else "")
    return (whole_number(found[1]) or 0) if found else 0


def _names(nodelist: str, count: int) -> tuple[str, ...]:
    names = tuple(islice(_listed(nodelist), count))
    more = (f"node{n}" for n in range(1, count + 1))
    return (*names, *(name for name in more if name not in names))[:count]


def _listed(nodelist: str) -> Iterator[str]:
    for prefix, ranges in _LISTED.findall(nodelist):
        if not ranges:
            yield prefix
        for part in ranges.split(",") if ranges else ():
            first, _, last = part.partition("-")
            low, high = whole_number(first), whole_number(last or first)
            while low is not None and high is not None and low <= high:
                yield f"{prefix}{low:0{len(first)}d}"
                low += 1


def _net(text: str, network: str | None, nodes: int) -> Net:
    versions = setting(text, "IP_VERSIONS") or ("4", "6")
    family = network or ("dual" if len(versions) > 1 else f"ipv{versions[0]}")
    way, _, where = " ".join(setting(text, "ADDRESS_FILTER")).partition(" ")
    suffix = next(iter(setting(text, "HOST_SUFFIX")), "")
    if way == "dev":
        return Net(family, nics=2, interface=where)
    if suffix:
        return Net(family, nics=2, suffix=suffix)
    return _in_range(family, where, nodes) if way == "to" else Net(family)


def _in_range(family: str, where: str, nodes: int) -> Net:
    """Return a network with an address of each node in a range: the plain one where that has them."""
    try:
        wanted = ip_network(where, strict=False)
    except ValueError as error:
        raise UsageError(f"`{where[:60]}` is no range of addresses", hint="10.0.0.0/8 or fd00::/8 is one") from error
    plain = Net(family)
    if all(any(ip_address(own) in wanted for own in plain.addresses(number)) for number in (1, nodes)):
        return plain
    if wanted.num_addresses < nodes:
        raise UsageError(f"{where} has no {nodes} addresses", hint="write the network that holds all nodes")
    return Net(family, nics=2, range=where)
