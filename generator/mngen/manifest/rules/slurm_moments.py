"""``begin`` and ``deadline``: moments, in the forms that Slurm reads."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.slurm_moment import is_moment
from mngen.manifest.judging.slurm_options import extra_options
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse moments that sbatch does not read."""
    if target.kind != "slurm":
        return
    given = [(f"slurm.{name}", target.slurm.fields.get(name)) for name in ("begin", "deadline")]
    given += [(f"slurm.extra.{o.index}", o.value) for o in extra_options(target) if o.name in {"--begin", "--deadline"}]
    for field, value in given:
        if isinstance(value, str) and "$" not in value and not is_moment(value):
            yield finding(
                target,
                "MN243",
                field,
                f"{field} is {value!r}, which is no moment to Slurm",
                hint="write now+1hour (seconds, minutes, hours, days, weeks), 16:00, tomorrow, MMDD or MM/DD/YY, or "
                "2030-01-20T12:34:00",
            )
