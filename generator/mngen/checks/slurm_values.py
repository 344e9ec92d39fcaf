"""Values of Slurm's options that a pattern alone does not tell, read as Slurm reads them.

What it refuses is refused here, and what it takes is taken, whatever sbatch(1) says. File names are those of
https://github.com/SchedMD/slurm as of 26.11.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from mngen.manifest.judging.slurm_moment import is_moment

_MOST = 0xFFFF
_SIGNAL = (
    r"(?i)R?B?R?:?(?:(?P<number>[0-9]+)|(?:SIG)?(?:HUP|INT|QUIT|ABRT|KILL|ALRM|TERM|CHLD|USR1|USR2|PIPE|URG|CONT|STOP"
    r"|TSTP|TTIN|TTOU|XCPU))(?:@(?P<before>[0-9]{1,5}))?"
)
_MAIL = frozenset(
    {"NONE", "BEGIN", "END", "FAIL", "REQUEUE", "ALL", "INVALID_DEPEND", "STAGE_OUT", "ARRAY_TASKS"}
    | {"TIME_LIMIT", "TIME_LIMIT_90", "TIME_LIMIT_80", "TIME_LIMIT_50"}
)
_INDICES = r"\[?(?P<first>[0-9]+|(?=%))\]?(?:-(?P<last>[0-9]*)\]?(?::0*[1-9][0-9]*\]?)?)?(?:%.*)?"
_JOB = r"0*[1-9][0-9]*(?:_(?:[0-9]+|\*|\[\]))?(?:\+0*[1-9][0-9]*)?(?:\([^)]*\))?"
_AFTER = rf"(?i)singleton(?:\([^)]*\))?|(?:after(?:notok|corr|any|ok|burstbuffer)?|expand):{_JOB}(?::{_JOB})*"
_OLD = r"0*[1-9][0-9]*(?:_(?:[0-9]+|\*|\[\]))?"
_TASKS = r"\[[0-9,:%-]+\]"


def is_signal(value: str) -> bool:
    """Tell whether ``--signal`` takes it (``get_signal_opts`` in src/common/proc_args.c)."""
    match = re.fullmatch(_SIGNAL, value)
    if match is None or int(match["before"] or 0) > _MOST:
        return False
    return match["number"] is None or 0 < int(match["number"][:6]) <= _MOST


def is_mail(value: str) -> bool:
    """Tell whether ``--mail-type`` takes it: one known word is enough (``parse_mail_type`` in proc_args.c)."""
    return any(word.upper() in _MAIL for word in value.split(","))


def is_array(value: str) -> bool:
    """Tell whether ``--array`` takes it (``slurm_parse_array_tok`` in src/common/slurm_protocol_defs.c)."""
    items = [re.fullmatch(_INDICES, item) for item in value.split(",") if item]
    found = [match for match in items if match is not None]
    return (
        bool(items)
        and len(found) == len(items)
        and all(match["last"] is None or _is_at_most(match["first"], match["last"]) for match in found)
    )


def _is_at_most(first: str, last: str) -> bool:
    one, other = first.lstrip("0"), last.lstrip("0")
    return (len(one), one) <= (len(other), other)


def is_dependency(value: str) -> bool:
    """Tell whether ``--dependency`` takes it (``_parse_dependency_str`` in src/slurmctld/job_scheduler.c)."""
    text = re.sub(_TASKS, "[]", value)
    if text == "0":
        return True
    if ":" not in text and all(re.fullmatch(_OLD, job) for job in text.split(",")):
        return True
    items = text.split("?" if "?" in text else ",")
    return all(re.fullmatch(_AFTER, item) or re.fullmatch(_OLD, item) for item in items)


FORMS: Mapping[str, tuple[Callable[[str], bool], str]] = {
    "signal": (is_signal, "a signal such as B:USR1@300"),
    "mail": (is_mail, "a list such as BEGIN,END,FAIL"),
    "array": (is_array, "a list of indices such as 0-7, 1-15:2 or 1,3,5%2"),
    "dependency": (is_dependency, "a dependency such as afterok:1234, afterany:12:13 or singleton"),
    "moment": (is_moment, "a moment such as 16:00, now+1hour or 2030-01-20T12:34:00"),
}
"""By kind of the option tables: what tells that a value has the form, and what it is in words."""
