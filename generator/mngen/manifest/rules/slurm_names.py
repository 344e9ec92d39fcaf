"""Names that Slurm's administrators gave: an account is one, and blanks in any are most likely a slip."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse lists where Slurm takes one name, and warn of blanks.

    Accounts with a comma do not exist: sacctmgr reads it as the end of a name (slurm_addto_char_list in
    https://github.com/SchedMD/slurm/blob/master/src/common/slurmdb_defs.c). Those with a blank can be made.
    """
    if target.kind != "slurm":
        return
    for name in ("account", "qos", "reservation"):
        value = target.slurm.fields.get(name)
        field = f"slurm.{name}"
        if not isinstance(value, str):
            continue
        if name == "account" and "," in value:
            message = f"{field} is {value!r}; a job has one account"
            yield finding(target, "MN104", field, message, hint="write the one that this target is charged to")
        elif " " in value.strip():
            message = f"{field} is {value!r}, with a blank, which hardly any site has in a name"
            yield warning(target, "MN104", field, message, hint="compare it with `sacctmgr show assoc user=$USER`")
