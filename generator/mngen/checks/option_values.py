"""The forms of option values: what each ``kind`` of the option tables accepts."""

from __future__ import annotations

import re

from mngen.checks.option_tables import Option
from mngen.checks.slurm_values import FORMS

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
    "positive": (r"0*[1-9][0-9]*", "a whole number of 1 or more"),
}
"""A pattern for each, which is compiled when an option has that form, and what it is in words."""


def value_problem(option: Option, value: str) -> str | None:
    """Say what is wrong with ``value`` for ``option``, or return ``None``."""
    if "\0" in value:
        return f"{option.name}: the value holds a NUL byte"
    # Slurm does not care for the case of what may be left out: `--exclusive=USER`.
    chosen = value.lower() if option.kind == "optional" else value
    if option.choices and chosen not in option.choices:
        return f"{option.name}: `{value}` is not one of {', '.join(option.choices)}"
    kind = option.form or option.kind
    if kind in FORMS and not FORMS[kind][0](value):
        return f"{option.name}: `{value}` is not {FORMS[kind][1]}"
    form = _FORMS.get(kind)
    if form is not None and re.fullmatch(form[0], value) is None:
        return f"{option.name}: `{value}` is not {form[1]}"
    return None
