"""Lists that Slurm reads item by item: indices of an array, hosts, licences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.slurm_options import TYPED, extra_options
from mngen.manifest.model import Target
from mngen.manifest.whole_numbers import whole_number

_MOST = 4_000_000  # slurm.conf(5), MaxArraySize: one more than the largest index, and at most 4000001
_INDICES = re.compile(r"([0-9]+)(?:-([0-9]+)(?::([0-9]+))?)?")
_HOSTS = re.compile(r"(?:[^\[\]]|\[[0-9A-Za-z,-]+\])*")
_LICENCE = re.compile(r"[^\s,|:]+(?::[0-9]+)?")


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse lists of which Slurm could read no more than a part."""
    if target.kind != "slurm":
        return
    for name, wrong in _CHECKS.items():
        given = [(f"slurm.{name}", target.slurm.fields.get(name))]
        given += [(f"slurm.extra.{o.index}", o.value) for o in extra_options(target) if o.name == TYPED[name]]
        for field, value in given:
            if isinstance(value, str) and "$" not in value and (found := wrong(value)):
                yield finding(target, "MN104", field, f"{field} is {value!r}: {found[0]}", hint=found[1])


def _array(text: str) -> tuple[str, str] | None:
    for item in text.partition("%")[0].split(","):
        match = _INDICES.fullmatch(item)
        if match is None:
            continue  # the schema says what a typed one must look like, and sbatch a raw one
        first, last, step = (whole_number(part) if part else None for part in match.groups())
        if last is not None and first is not None and last < first:
            return f"{item} ends before it begins", f"write {last}-{first}"
        if any(len(part or "") > len(str(_MOST)) or int(part or 0) > _MOST for part in match.groups()):
            return f"no Slurm has an index above {_MOST}", "write smaller indices; most sites have up to 1000"
        if step == 0:
            return f"{item} has a step of 0", "leave the step out, or write 1 or more"
    return None


def _hosts(text: str) -> tuple[str, str] | None:
    if "/" in text or _HOSTS.fullmatch(text):
        return None
    return "a bracket has no other half, or no numbers inside", "write a list such as gpu-[01-04,7]"


def _licences(text: str) -> tuple[str, str] | None:
    if all(_LICENCE.fullmatch(item) for item in re.split(r"[,|]", text)):
        return None
    return "it is no list of licences", "write each name, or name:count, with a comma between: ansys:2,matlab"


_CHECKS = {"array": _array, "nodelist": _hosts, "exclude": _hosts, "licenses": _licences}
