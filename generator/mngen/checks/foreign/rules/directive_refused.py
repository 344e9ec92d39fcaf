"""Directives that Slurm refuses, that contradict each other, or of which the last one counts.

https://github.com/SchedMD/slurm, src/common/slurm_opt.c: ``slurm_process_option`` sets an option anew each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.checks.option_tables import table
from mngen.checks.options import SHORT_FOR, TWICE
from mngen.checks.sbatch_text import stray_words
from mngen.diagnostics import Severity
from mngen.manifest.nearest import nearest

_VARIABLE = re.compile(r"^--[\w-]+: `[^`]*\$")
_GAP = re.compile(r"<\s?[A-Za-z][\w'-]*(?:[ _-]+[\w'-]+)*\s?>|(?<![${])\{\s[^{}]*\s\}(?!\})")
"""What a reader or a program was meant to replace, as far as it falls into several words."""
_MEND_WORD = (
    "an option has two dashes; put a value with blanks in quotes, leave none beside `=`, and begin a comment with `#`"
)
_SHIFTER = frozenset({"--image", "--volume", "--module"})
"""Options of Shifter's plugin: https://github.com/NERSC/shifter/wiki/SLURM-Integration."""
_ALIKE = 0.85
"""How alike a misspelt option is to its own name: ``--ntask-per-node``. Sites' options resemble others by chance."""
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.directives:
            continue
        for problem in dict.fromkeys(script.slurm.problems):
            if _VARIABLE.search(problem):
                continue  # MN730 says of the line that nothing expands it
            line, words = _place(script, problem)
            if problem.endswith(TWICE):
                yield _repeated(script, problem.removesuffix(TWICE), line, words)
                continue
            hint, severity = _mend(problem)
            yield Found(line, f"sbatch: {problem}", hint, severity, at=words)
        for directive, word in stray_words(script.directives):
            text = document.lines[directive.line - 1]
            message, hint = _refused(text, word)
            yield Found(directive.line, message, hint, at=word, column=_last_column(text, word))


def _refused(text: str, word: str) -> tuple[str, str]:
    """Return what to say of a line with a word that is no option, and how to mend it."""
    gap = next((found.group() for found in _GAP.finditer(text) if word in found.group().split()), "")
    if gap:
        return (
            f"sbatch refuses the job at `{word}`: `{gap}` was never filled in (MN702)",
            "write the value, or leave the line out and give the option to sbatch on its command line",
        )
    return f"sbatch refuses the job at `{word}`, which is no option", _MEND_WORD


def _repeated(script: Script, name: str, line: int, words: str) -> Found:
    """Tell of an option that is given more than once: sbatch takes what stands last."""
    given = [value for option, value in script.slurm.options if option == name]
    if len(set(given)) == 1:
        return Found(line, f"{name} is given twice, and says the same", "keep one of them", Severity.NOTE, at=words)
    lost = next(value for value in given if value != given[-1])
    return Found(
        line,
        f"{name} is given twice: sbatch takes the last{_named(given[-1])} and passes over{_named(lost, name)}",
        "keep the one that is meant",
        Severity.WARNING,
        at=words,
    )


def _named(value: str | None, name: str = "") -> str:
    return f" `{value}`" if value else f" {name}" if name else ""


def _last_column(line: str, word: str) -> int:
    """Return where a word stands alone on its line for the last time; 0 where quotes or escapes are part of it."""
    alone = [match.start() for match in re.finditer(rf"(?<!\S){re.escape(word)}(?!\S)", line)]
    return alone[-1] + 1 if alone else 0


def _place(script: Script, problem: str) -> tuple[int, str]:
    """Return the last directive with an option that the problem names, and the option as it is written there."""
    for name in reversed(_OPTION.findall(problem)):
        option = table("sbatch").find(name)
        spellings = (option.name, *option.shorts) if option is not None else (name,)
        for directive in reversed(script.directives):
            for word in directive.words:
                if word.split("=")[0] in spellings or (word[:2] in spellings and word[:2] != "--"):
                    return directive.line, word
    return script.directives[0].line, ""


def _mend(problem: str) -> tuple[str, Severity | None]:
    """Return how to mend it, and its weight where that differs from the rule's own."""
    if SHORT_FOR in problem:
        return "sbatch takes it as long as no other option begins so", Severity.NOTE
    if problem.startswith("unknown option "):
        return _unknown(problem.removeprefix("unknown option "))
    return "keep one of them" if "exclude" in problem else "correct the value", None


def _unknown(option: str) -> tuple[str, Severity]:
    if option in _SHIFTER:
        return (
            "right where the site has Shifter, whose plugin takes it; elsewhere sbatch refuses the job",
            Severity.NOTE,
        )
    close = nearest(option, (name for name in table("sbatch").options if name.startswith("--")), _ALIKE)
    meant = f"did you mean `{close}`? Else" if close else "check the spelling;"
    return f"{meant} a site's own plugin may know the option", Severity.WARNING


RULE = Rule("MN732", Severity.ERROR, _check)
