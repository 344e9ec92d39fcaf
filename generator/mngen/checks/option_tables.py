"""The options that outside programs accept, read from the data files in ``tables/``.

A table is a program's own list of options: its spellings, whether an option takes a value and of what
form, and the versions that have it. One line of a table reads ``--nodes -N nodes since=1.2``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml
from msgspec import Struct

from mngen.data_files import folder

_FILES = {
    "sbatch": "sbatch",
    "srun": "srun",
    **dict.fromkeys(("scancel", "squeue", "sacct", "sinfo", "scontrol"), "slurm_tools"),
    "docker": "docker",
    "podman": "podman",
    "apptainer": "apptainer",
    "ray": "ray",
    "sky": "cloud",
    "dstack": "cloud",
}
"""The data file of each program, by the program's first word; only the one asked for is read."""
_ALIASES = {"singularity": "apptainer", "podman-hpc": "podman"}
"""Programs that take the options of another one."""


class Option(Struct, frozen=True, kw_only=True):
    """One option. ``kind`` is ``flag``, ``count``, ``optional`` or the form of its value.

    What may be left out has its form in ``form``, if it has one: ``--nice optional form=int``.
    """

    name: str
    shorts: tuple[str, ...] = ()
    kind: str = "value"
    form: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False
    since: str | None = None
    until: str | None = None

    @property
    def takes_value(self) -> bool:
        """Tell whether the option must be followed by a value."""
        return self.kind not in {"flag", "count", "optional"}


class Table(Struct, frozen=True, kw_only=True):
    """All options of one program.

    ``syntax`` is the family of its parser (``getopt``, ``pflag``, ``click``, ``argparse``); with
    ``interspersed`` false the first word that is no option ends the options.
    """

    program: str
    syntax: str
    interspersed: bool
    options: Mapping[str, Option]
    since: str | None = None

    def find(self, spelling: str) -> Option | None:
        """Return the option with this exact spelling, dashes included."""
        return self.options.get(spelling)


def programs() -> tuple[str, ...]:
    """Name every program that has a table, subcommands included: ``docker run``."""
    return tuple(name for stem in dict.fromkeys(_FILES.values()) for name in _raw(stem))


def find_program(words: tuple[str, ...] | list[str]) -> tuple[str, int] | None:
    """Name the program that a command line starts, and how many of its words name it.

    >>> find_program(["/usr/bin/docker", "run", "--rm", "x"])
    ('docker run', 2)
    """
    if not words:
        return None
    base = words[0].rsplit("/", 1)[-1]
    names = [_ALIASES.get(base, base), *words[1:3]]
    known = _raw(_FILES[names[0]]) if names[0] in _FILES else {}
    for length in range(len(names), 0, -1):
        candidate = " ".join(names[:length])
        if candidate in known:
            return candidate, length
    return None


@cache
def table(program: str) -> Table:
    """Return the table of ``program``; raises ``KeyError`` for one that has none."""
    stem = _FILES[program.split(" ", maxsplit=1)[0]]
    return _table(program, _raw(stem)[program])


def _table(program: str, entry: Mapping[str, Any]) -> Table:
    if "like" in entry:
        original = table(entry["like"])
        return Table(
            program=program,
            syntax=original.syntax,
            interspersed=original.interspersed,
            options=original.options,
            since=original.since,
        )
    found: dict[str, Option] = dict(table(entry["also"]).options) if "also" in entry else {}
    for line in entry["options"].splitlines():
        option = _option(line)
        found.update(dict.fromkeys((option.name, *option.shorts), option))
    return Table(
        program=program,
        syntax=entry["syntax"],
        interspersed=entry["operands"] == "mix",
        options=found,
        since=entry.get("since"),
    )


def _option(line: str) -> Option:
    words = line.split()
    spellings = [word for word in words if word.startswith("-")]
    rest = words[len(spellings) :]
    extra = dict(word.split("=", 1) for word in rest if "=" in word)
    kind, _, choices = rest[0].partition("(")
    return Option(
        name=spellings[0],
        shorts=tuple(spellings[1:]),
        kind=kind,
        form=extra.get("form", ""),
        choices=tuple(choices.rstrip(")").split(",")) if choices else (),
        many="many" in rest,
        since=extra.get("since"),
        until=extra.get("until"),
    )


@cache
def _raw(stem: str) -> dict[str, Any]:
    text = folder("mngen.checks").joinpath("tables").joinpath(f"{stem}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    loaded: dict[str, Any] = loader.get_single_data()
    return loaded
