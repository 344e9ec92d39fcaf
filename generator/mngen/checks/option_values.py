"""The forms of option values: what each ``kind`` of the option tables accepts."""

from __future__ import annotations

import re

from mngen.checks.option_tables import Option

_FORMS: dict[str, tuple[re.Pattern[str], str]] = {
    "int": (re.compile(r"-?[0-9]+"), "a whole number"),
    "number": (re.compile(r"-?[0-9]+(\.[0-9]+)?"), "a number"),
    "bool": (re.compile(r"(true|false|1|0|yes|no|on|off|t|f|y|n)", re.IGNORECASE), "true or false"),
    "size": (re.compile(r"-?[0-9]+(\.[0-9]+)?([bkmgtp]b?|[kmgtp]ib)?", re.IGNORECASE), "a size such as 64G"),
    # `man sbatch`: minutes, minutes:seconds, hours:minutes:seconds, days-hours and so on; UNLIMITED is read too.
    "time": (
        re.compile(r"([0-9]+-)?[0-9]+(:[0-9]+){0,2}|unlimited|infinite", re.IGNORECASE),
        "a time such as 30, 2:00:00 or 1-12",
    ),
    "counts": (
        re.compile(r"(([A-Za-z][\w.+-]*:)?[0-9]+)(,([A-Za-z][\w.+-]*:)?[0-9]+)*|none"),
        "a count such as 8 or a100:8",
    ),
    "nodes": (
        re.compile(r"[0-9]+[kKmM]?(-[0-9]+[kKmM]?)?(:[0-9]+)?(,[0-9]+(-[0-9]+)?)*"),
        "a number of nodes such as 4 or 2-4",
    ),
    "signal": (re.compile(r"([RB]{1,2}:)?(SIG)?[A-Z0-9]+([+-][0-9]+)?(@[0-9]{1,5})?"), "a signal such as B:USR1@300"),
}


def value_problem(option: Option, value: str) -> str | None:
    """Say what is wrong with ``value`` for ``option``, or return ``None``."""
    if "\0" in value:
        return f"{option.name}: the value holds a NUL byte"
    if option.choices and value not in option.choices:
        return f"{option.name}: `{value}` is not one of {', '.join(option.choices)}"
    form = _FORMS.get(option.kind)
    if form is not None and not form[0].fullmatch(value):
        return f"{option.name}: `{value}` is not {form[1]}"
    return None
