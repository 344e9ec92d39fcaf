"""A job runs a copy of its script, from another folder."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.expansion import without_single_quoted
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Command
from mngen.diagnostics import Severity

_FOLDER = re.compile(r"SLURM_SUBMIT_DIR|\bscontrol\s+show\s+job\b")
"""What tells a job where its script came from; ``$0`` is then for runs outside of one."""
_OWN_PATH = re.compile(r"BASH_SOURCE|\$0|\$\{0")
_CUT = re.compile(r"\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}")
"""The folder of it, as an expansion gives it."""
_FALLBACK = re.compile(r"SLURM_SUBMIT_DIR:?-")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.sbatch:
            continue
        asks = _FOLDER.search(script.text) is not None
        for command, line, name in _asked(script):
            if asks and (command.branches or _FALLBACK.search(document.lines[line - 1])):
                continue
            yield Found(
                line,
                f"in a job `{name}` is Slurm's copy below its spool folder, not the file that was submitted",
                "use SLURM_SUBMIT_DIR, or write the path",
            )


def _asked(script: Script) -> Iterator[tuple[Command, int, str]]:
    """Yield where the script asks for its own path: the command, the line, and what it calls the path."""
    for call in script.called("dirname", "realpath", "readlink"):
        found = next((match for text in call.texts if (match := _OWN_PATH.search(text))), None)
        if found is not None:
            yield call.command, call.line, _name(found)
    for command in script.commands:
        for word in (*command.words, *(assign.value for assign in command.assigns)):
            found = _CUT.search(without_single_quoted(word.raw))
            if found is not None and not word.inner and command.origin in {"", "substitution"}:
                yield command, word.line, _name(found)
                break


def _name(found: re.Match[str]) -> str:
    return "BASH_SOURCE" if "BASH_SOURCE" in found.group() else "$0"


RULE = Rule("MN741", Severity.ERROR, _check)
