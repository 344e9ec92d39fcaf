"""The typed fields of ``slurm:``, each with the sbatch option it becomes.

Spellings and value forms are those of https://slurm.schedmd.com/sbatch.html (read with Slurm 22.05, releases of
newer options from its release notes). How a directive's value is quoted follows sbatch's own reader,
``_get_argument`` in https://github.com/SchedMD/slurm/blob/master/src/sbatch/opt.c: blanks part arguments outside of
quotes, an unquoted ``#`` begins a comment, and a backslash takes the next character as it is, also inside quotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

from msgspec import Struct


class Form(Enum):
    """How a field's value becomes an option."""

    VALUE = "value"
    """``--option=VALUE``."""
    FLAG = "flag"
    """``true`` is ``--option``, ``false`` is nothing."""
    FLAG_OR_VALUE = "flag or value"
    """As a flag, or ``--option=VALUE`` for text."""
    YES_NO = "yes or no"
    """``--option=yes`` and ``--option=no``."""
    ONE_ZERO = "1 or 0"
    """``--option=1`` and ``--option=0``."""
    OPPOSITE = "option or its opposite"
    """``--option`` and ``--no-option``."""
    OFF = "flag or off"
    """``--option`` and ``--option=off``."""


class SlurmOption(Struct, frozen=True):
    """One typed field: ``option`` without its dashes; ``since`` is the first Slurm release that knows it."""

    field: str
    option: str
    form: Form = Form.VALUE
    since: str | None = None


def _table() -> Mapping[str, SlurmOption]:
    """Build the table, in the order in which directives are written; most options are spelled like their fields."""
    plain = (
        "job_name partition account qos reservation time time_min begin deadline dependency array constraint licenses "
        "nodelist exclude switches distribution hint core_spec thread_spec threads_per_core sockets_per_node "
        "cores_per_socket mem_bind tmp nice priority mail_type mail_user comment wckey export chdir open_mode output "
        "error"
    )
    special = (
        SlurmOption("exclusive", "exclusive", Form.FLAG_OR_VALUE),
        SlurmOption("oversubscribe", "oversubscribe", Form.FLAG),
        SlurmOption("segment", "segment", since="24.05"),
        SlurmOption("requeue", "requeue", Form.OPPOSITE),
        SlurmOption("no_kill", "no-kill", Form.OFF),
        SlurmOption("kill_on_invalid_dep", "kill-on-invalid-dep", Form.YES_NO),
        SlurmOption("wait_all_nodes", "wait-all-nodes", Form.ONE_ZERO),
    )
    rows = [SlurmOption(field, field.replace("_", "-")) for field in plain.split()]
    return {row.field: row for row in (*rows, *special)}


OPTIONS: Mapping[str, SlurmOption] = _table()
"""Every typed field by its manifest name, in the order in which directives are written."""

_SAFE = re.compile(r"[A-Za-z0-9@%+=:,./_\-\[\]*&|()!?^{}<>;~$`]+")
"""Text that sbatch reads as one argument without quotes: no blank, quote, backslash or ``#``."""


def option(field: str, value: str | bool) -> str | None:
    """Return the option for a field's value, unquoted: ``--time=90``. ``None`` when it asks for nothing."""
    row = OPTIONS[field]
    if not isinstance(value, bool):
        return f"--{row.option}={value}"
    spellings = {
        Form.YES_NO: f"--{row.option}={'yes' if value else 'no'}",
        Form.ONE_ZERO: f"--{row.option}={int(value)}",
        Form.OPPOSITE: f"--{'' if value else 'no-'}{row.option}",
        Form.OFF: f"--{row.option}{'' if value else '=off'}",
    }
    return spellings.get(row.form, f"--{row.option}" if value else None)


def quoted(argument: str) -> str:
    """Write one argument so that sbatch reads exactly it from a ``#SBATCH`` line.

    The argument must be of one line; sbatch has no way to write more.
    """
    if _SAFE.fullmatch(argument):
        return argument
    name, equals, value = argument.partition("=")
    if equals and _SAFE.fullmatch(name):
        return f"{name}={_in_quotes(value)}"
    return _in_quotes(argument)


def _in_quotes(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
