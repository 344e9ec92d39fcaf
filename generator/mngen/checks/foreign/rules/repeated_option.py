"""Of an option of a plugin that is given twice, Slurm hands the nodes the last value.

https://github.com/SchedMD/slurm, src/common/plugstack.c: ``_do_option_cb`` keeps one ``optarg`` for each option, and
``spank_set_remote_options`` sends that one. https://github.com/NVIDIA/pyxis, args.c: mounts and names of variables are
lists, of which the nodes thus get one; of the other options pyxis refuses a second value that differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script, variables
from mngen.checks.foreign.words import Word
from mngen.checks.options import parse
from mngen.diagnostics import Severity

_LISTS = ("--container-mounts", "--container-env")
_SINGLE = ("--container-image", "--container-workdir", "--container-name", "--container-save")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        steps = [call for call in script.called("srun", "sbatch") if _may_repeat(call)]
        changing = _changing(script) if steps else set()
        for call in steps:
            words = _sure_words(call, changing)
            options = parse(call.program, [word.text for word in words], check_values=False)
            for name in (*_LISTS, *_SINGLE):
                values = options.values(name)
                if len(set(values)) > 1:
                    yield _found(name, values, next((w.line for w in words if w.text.startswith(name)), call.line))


def _found(name: str, values: Sequence[str], line: int) -> Found:
    if name in _SINGLE:
        return Found(
            line, f"{name} is given twice with different values: pyxis refuses the step", "keep one of them", at=name
        )
    lost = next(value for value in values if value != values[-1])
    return Found(
        line,
        f"{name} is given twice: Slurm hands only the last value to the nodes, so `{lost}` is lost",
        f"give it once, its parts with commas between them: `{name}={','.join(dict.fromkeys(values))}`",
        at=name,
    )


def _may_repeat(call: Call) -> bool:
    return any(len(set(call.options.values(name))) > 1 for name in (*_LISTS, *_SINGLE))


def _changing(script: Script) -> set[str]:
    """Name the variables of which nobody can say what they hold at a step: set perhaps, or more than once."""
    assigned = [(command, assign) for command in script.commands for assign in command.assigns]
    afresh = Counter(assign.name for _, assign in assigned if not assign.append)
    perhaps = {
        assign.name
        for command, assign in assigned
        if command.branches or command.loops or command.function or command.before in {"&&", "||"}
    }
    return perhaps | {name for name, times in afresh.items() if times > 1}


def _sure_words(call: Call, changing: set[str]) -> tuple[Word, ...]:
    """Return the words of a call, without those that a changing variable brings."""
    brought = {name for word in call.command.words for name in variables(word.raw)}
    if brought.isdisjoint(changing):
        return call.words
    return tuple(word for word in call.words if word in call.command.words)


RULE = Rule("MN922", Severity.ERROR, _check)
