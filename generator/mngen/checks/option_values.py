"""The forms of option values: what each ``kind`` of the option tables accepts."""

from __future__ import annotations

import re

from mngen.checks.option_tables import Option

_FORMS: dict[str, tuple[str, str]] = {
    "int": (r"-?[0-9]+", "a whole number"),
    "number": (r"-?[0-9]+(\.[0-9]+)?", "a number"),
    "bool": (r"(?i:(true|false|1|0|yes|no|on|off|t|f|y|n))", "true or false"),
    "size": (r"(?i:-?[0-9]+(\.[0-9]+)?([bkmgtp]b?|[kmgtp]ib)?)", "a size such as 64G"),
    # `man sbatch`: minutes, minutes:seconds, hours:minutes:seconds, days-hours and so on; UNLIMITED is read too.
    "time": (
        r"(?i:([0-9]+-)?[0-9]+(:[0-9]+){0,2}|unlimited|infinite)",
        "a time such as 30, 2:00:00 or 1-12",
    ),
    "counts": (
        r"(([A-Za-z][\w.+-]*:)?[0-9]+)(,([A-Za-z][\w.+-]*:)?[0-9]+)*|none",
        "a count such as 8 or a100:8",
    ),
    "nodes": (
        r"[0-9]+[kKmM]?(-[0-9]+[kKmM]?)?(:[0-9]+)?(,[0-9]+(-[0-9]+)?)*",
        "a number of nodes such as 4 or 2-4",
    ),
    "signal": (r"(?i:([RB]{1,2}:)?(SIG)?[A-Z0-9]+([+-][0-9]+)?(@[0-9]{1,5})?)", "a signal such as B:USR1@300"),
}
"""A pattern for each, which is compiled when an option has that form, and what it is in words."""


def value_problem(option: Option, value: str) -> str | None:
    """Say what is wrong with ``value`` for ``option``, or return ``None``."""
    if "\0" in value:
        return f"{option.name}: the value holds a NUL byte"
    if option.choices and value not in option.choices:
        return f"{option.name}: `{value}` is not one of {', '.join(option.choices)}"
    form = _FORMS.get(option.kind)
    if form is not None and re.fullmatch(form[0], value) is None:
        return f"{option.name}: `{value}` is not {form[1]}"
    return None
