"""A shell text as rules see it: its commands, calls, assignments and options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from mngen.checks.foreign.calls import Call, calls
from mngen.checks.foreign.commands import flatten, parse
from mngen.checks.foreign.expansion import Values, lasting, values_of
from mngen.checks.foreign.inner import DEEPEST, Outside, held_texts, submitted, with_inner
from mngen.checks.foreign.lines import Place, lines_of
from mngen.checks.foreign.scanner import comment_lines
from mngen.checks.foreign.shebangs import options
from mngen.checks.foreign.words import Assign, Command
from mngen.checks.options import Parsed
from mngen.checks.sbatch_text import Directive, directives, parsed_directives

_REFERENCE = re.compile(r"\$(?:\{([A-Za-z_]\w*)[^}]*\}|([A-Za-z_]\w*))")
_MENTION = re.compile(r"\$(?:\{[#!]?([A-Za-z_]\w*)[^}]*\}|([A-Za-z_]\w*))")
_NO_SETTINGS = re.compile(r"(?:^|/)activate$|conda|mamba|venv|profile|bashrc|modules|setvars|lmod", re.IGNORECASE)
"""Files that people source for an environment; they leave the shell's options alone."""
_LAUNCHERS = (
    *("ray start", "srun", "torchrun", "accelerate", "apptainer exec", "apptainer run"),
    *("docker run", "docker exec", "podman run", "podman exec", "train"),
)
_SHARING = frozenset({"user", "mcs"})
"""Values of ``--exclusive`` that let jobs of the same user, or of the same label, onto the nodes (sbatch(1))."""
_CLUSTER = ("srun", "ssh", "pdsh", "clush", "mpirun", "mpiexec", "ray start", "ray job submit")


class Script(Struct, frozen=True, dict=True):
    """One shell text of a file. ``pieces`` are its texts with their places in the file.

    ``section`` is the key that held it in a YAML file (``run``, ``setup``, ``commands``) or an empty text.
    """

    pieces: tuple[tuple[str, Place], ...]
    section: str = ""
    sbatch: bool = False
    shebang: str = ""
    source: str = ""
    flags: tuple[str, ...] = ()
    """Of a script inside another one: the words of the shell that runs it, such as ``-eo pipefail -s``."""
    depth: int = 0
    """How many scripts it stands in."""
    unexpanded: str = ""
    """Of a job inside another script: its text there, if the shell that submits it puts the values of variables in."""

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(text for text, _ in self.pieces)

    @cached_property
    def top(self) -> tuple[Command, ...]:
        """The commands outside substitutions and inner scripts, in order."""
        return tuple(command for piece in self._parsed for command in piece)

    @cached_property
    def _parsed(self) -> tuple[tuple[Command, ...], ...]:
        return tuple(parse(text, place) for text, place in self.pieces)

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """Every command, inner ones included, in the order of the text."""
        pieces = zip(self.pieces, self._parsed, strict=True)
        return tuple(
            command
            for (text, place), parsed in pieces
            for command in with_inner(flatten(parsed), self._outside, lines_of(text, place).last)
        )

    @cached_property
    def _outside(self) -> Outside:
        outside = tuple(flatten(self.top))
        return Outside.of(outside, values_of(lasting(outside)))

    @cached_property
    def inner(self) -> tuple[Script, ...]:
        """The scripts that it hands to other shells as text or here-document, and those inside them."""
        if self.depth == DEEPEST:
            return ()
        own = (
            Script(
                ((held.text, lines_of(held.text, held.line, lines_of(*piece).last)),),
                section=self.section,
                shebang=held.text.split("\n", 1)[0] if held.text.startswith("#!") else "",
                flags=held.flags,
                depth=self.depth + 1,
            )
            for piece, parsed in zip(self.pieces, self._parsed, strict=True)
            for before, command in pairwise((None, *flatten(parsed)))
            if command is not None
            for held in held_texts(command, self._outside, before)
        )
        return tuple(script for held in own for script in (held, *held.inner))

    @cached_property
    def jobs(self) -> tuple[Script, ...]:
        """The job files that it hands to ``sbatch`` as here-documents, each a script of its own."""
        return tuple(
            Script(
                ((held.text, lines_of(held.text, held.line, lines_of(*piece).last)),),
                sbatch=True,
                shebang=held.text.split("\n", 1)[0] if held.text.startswith("#!") else "",
                unexpanded=held.unexpanded,
            )
            for piece, parsed in zip(self.pieces, self._parsed, strict=True)
            for before, command in pairwise((None, *flatten(parsed)))
            if command is not None
            for held in submitted(command, self._outside.values, before)
        )

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every program that is started, at any depth."""
        return tuple(call for command in self.commands for call in calls(command, self.values))

    @cached_property
    def values(self) -> Values:
        """What its variables stand for among words."""
        return values_of(self.assigns)

    @cached_property
    def assigns(self) -> tuple[Assign, ...]:
        """Every assignment that lasts beyond its command."""
        return tuple(lasting(self.commands))

    @cached_property
    def directives(self) -> tuple[Directive, ...]:
        """The ``#SBATCH`` lines, without those of a job that the script holds as a string or here-document."""
        found = tuple(directives(self.text)) if self.sbatch else ()
        if not found:
            return ()  # a list of commands may be empty, so that there is no piece either
        if not all(directive.read for directive in found):
            comments = comment_lines(self.text)
            found = tuple(directive for directive in found if directive.read or directive.line in comments)
        numbers = lines_of(*self.pieces[0]).numbers
        return tuple(replace(directive, line=numbers[directive.line - 1]) for directive in found)

    @cached_property
    def slurm(self) -> Parsed:
        """The options that sbatch reads from the directives."""
        return parsed_directives(self.text)

    @property
    def exclusive(self) -> bool:
        """Tell whether the job asks for whole nodes, which it shares with no other, nor with one of the same user."""
        asked = self.slurm.has("--exclusive") and (self.slurm.value("--exclusive") or "").lower() not in _SHARING
        return bool(self.directives) and asked

    @property
    def launches(self) -> bool:
        """Tell whether this starts a job's work, and is no mere tool beside it."""
        return self.sbatch or self.section in {"run", "commands"} or bool(self.called(*_LAUNCHERS))

    def called(self, *programs: str) -> tuple[Call, ...]:
        """Return the calls of these programs: ``ray start``, ``srun``, ``docker run``."""
        return tuple(call for call in self.calls if call.program in programs)

    @cached_property
    def of_a_cluster(self) -> bool:
        """Tell whether this is a job, or starts programs on several machines, so that others meet what it leaves."""
        return self.sbatch or bool(self.section) or bool(self.called(*_CLUSTER))

    def settings_file(self, line: int) -> str:
        """Name a file of unknown contents that is sourced above a line, and may set the shell's options; or nothing."""
        names = [call.texts[0] for call in self.called("source", ".") if call.texts and call.line < line]
        return next((name for name in names if not _NO_SETTINGS.search(name)), "")

    def containers(self, verb: str) -> tuple[Call, ...]:
        """Return the calls of ``docker VERB`` and ``podman VERB``."""
        return self.called(f"docker {verb}", f"podman {verb}")

    def exported(self, name: str) -> bool:
        """Tell whether a variable reaches child processes: ``export NAME``, or set in front of a command."""
        before_command = any(
            assign.name == name and (assign.exported or not assign.alone)
            for command in self.commands
            for assign in command.assigns
        )
        return before_command or any(name in call.texts for call in self.called("export"))

    def option(self, letter: str, name: str) -> bool:
        """Tell whether the script turns a shell option on: ``set -e``, ``set -o pipefail``, ``#!/bin/bash -e``."""
        if _sets(options(self.shebang), letter, name) or _sets(self.flags, letter, name):
            return True
        for call in self.called("set"):
            if call.command.origin:
                continue
            if _sets(call.texts, letter, name):
                return True
        return False

    def resolve(self, text: str) -> str:
        """Replace the variables of a text that are assigned once, by their value; three levels deep."""
        for _ in range(3):
            text = _REFERENCE.sub(self._value, text)
        return text

    def _value(self, match: re.Match[str]) -> str:
        name = match.group(1) or match.group(2)
        values = {assign.value.text for assign in self.assigns if assign.name == name and assign.value.items is None}
        return values.pop() if len(values) == 1 else match.group(0)


def variables(text: str) -> tuple[str, ...]:
    """Name the variables that a text refers to, in order."""
    return tuple(match.group(1) or match.group(2) for match in _MENTION.finditer(text))


def _sets(words: Sequence[str], letter: str, name: str) -> bool:
    """Tell whether the words of ``set`` or of a shell turn an option on."""
    by_letter = bool(letter) and any(re.fullmatch(rf"-[a-zA-Z]*{letter}[a-zA-Z]*", word) for word in words)
    return by_letter or name in words
