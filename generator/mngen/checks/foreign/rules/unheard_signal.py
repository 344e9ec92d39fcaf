"""A signal ahead of the time limit that ends the job, or that nothing ever hears."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.lines import lines_of
from mngen.checks.foreign.script import Script, variables
from mngen.diagnostics import Severity
from mngen.manifest.slurm_signal import TimeSignal, signal_name, time_signal

# Not among them: KILL and STOP, which nothing traps, QUIT, which bash ignores, INT, which it leaves to the command in
# front, and those that do nothing (bash(1), SIGNALS; signal(7)).
_FATAL = frozenset({"HUP", "ABRT", "USR1", "USR2", "ALRM", "TERM", "XCPU"})
_WORK = (
    *("srun", "mpirun", "torchrun", "accelerate", "python", "python3", "ray job submit"),
    *("apptainer exec", "apptainer run", "docker run", "docker exec", "podman run", "podman exec"),
)
# Files and texts that set up an environment and no traps.
_HARMLESS = re.compile(
    r"activate$|conda|mamba|profile|bashrc$|/lmod|modules?(?:\.sh|/init/)|setvars\.sh$|ssh-agent|\.env$"
)
_ITSELF = re.compile(r"\$0\b|BASH_SOURCE|declare -f|export -f")
_BACKGROUND = re.compile(r"(?<![&>])&(?![&>\d])")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        asked = time_signal(script.slurm.value("--signal") or "") if script.directives else None
        if asked is None or document.interpreter or _unknown(script):
            continue
        traps = [call for call in script.called("trap") if not call.command.origin and asked.name in _trapped(call)]
        if asked.batch and not traps:
            yield from _ends(script, asked)
        elif not asked.batch and traps:
            yield from _elsewhere(script, asked, traps[0])
        elif traps:
            yield from _in_front(script, asked, traps[0])


def _unknown(script: Script) -> bool:
    """Tell whether something else than this text may set traps in the shell, or take its place."""
    for call in script.called("exec", "source", ".", "eval", "trap"):
        if call.command.origin:
            continue
        if call.program == "trap":
            if any(variables(word) for word in call.texts[1:]):
                return True
        elif call.words and not (call.program != "exec" and _HARMLESS.search(call.words[0].text)):
            return True
    return False


def _trapped(call: Call) -> frozenset[str]:
    """Return the signals that a ``trap`` has a handler for; an empty one (``''``) lets the signal pass unheard."""
    words = [text for text in call.texts if text != "--"]
    if len(words) < 2 or words[0] in {"-", "-p", "-l"}:
        return frozenset()
    return frozenset(signal_name(word) for word in words[1:])


def _ends(script: Script, asked: TimeSignal) -> Iterator[Found]:
    requeues = any("EXIT" in _trapped(call) for call in script.called("trap")) and "requeue" in script.text
    if asked.name in _FATAL and not requeues:
        yield Found(
            _line(script),
            f"{asked.name} goes to this shell, which has no trap for it and ends: the job is over {asked.before} "
            "seconds before its limit, with nothing saved",
            f"set one before the work starts, trap 'kill -{asked.name} \"$step\"' {asked.name}, run the step in the "
            "background with step=$! and wait for it",
            at="--signal",
        )


def _elsewhere(script: Script, asked: TimeSignal, trap: Call) -> Iterator[Found]:
    sent = re.search(rf"\b(?:kill|scancel)\b.*\b(?:SIG)?{asked.name}\b", script.text)
    if trap.texts[0] and not sent and not _ITSELF.search(script.text):
        yield Found(
            _line(script),
            f"without B: {asked.name} goes to the steps of srun and not to this shell, so its trap never runs",
            f"write --signal=B:{asked.name}@{asked.before}",
            at="--signal",
        )


def _in_front(script: Script, asked: TimeSignal, trap: Call) -> Iterator[Found]:
    work = [call for call in script.called(*_WORK) if not call.command.origin and call.line > trap.line]
    if trap.texts[0] and work and not _is_beside(script, work[-1]) and not _has_waited(script, work[-1]):
        yield Found(
            work[-1].line,
            f"bash runs its trap for {asked.name} only after the command in front, `{work[-1].program}`, has ended: "
            "too late for what should happen before the limit",
            'start it in the background, keep step=$!, and `wait "$step"`, which a trapped signal interrupts',
        )


def _is_beside(script: Script, last: Call) -> bool:
    """Tell whether a command may be in the background: by itself, or with what is around it and ends later."""
    code = [(number, line) for number, line in _numbered(script) if not line.lstrip().startswith("#")]
    later = "\n".join(line for number, line in code if number >= last.line)
    return bool(_BACKGROUND.search(later)) or any(re.search(r"\bcoproc\b", line) for _, line in code)


def _numbered(script: Script) -> Iterator[tuple[int, str]]:
    """Yield the lines of a script, each with its number in the file, which may hold the script as one of its parts."""
    for text, place in script.pieces:
        lines, at = lines_of(text, place), 0
        for line in text.split("\n"):
            yield lines.at(at), line
            at += len(line) + 1


def _has_waited(script: Script, last: Call) -> bool:
    """Tell whether the script waits for other work before a command, which then is what comes after the job proper."""
    waits = [call for call in script.called("wait", "kill") if call.program == "wait" or "-0" in call.texts]
    return any(call.line < last.line and not call.command.origin for call in waits)


def _line(script: Script) -> int:
    return next(item.line for item in reversed(script.directives) if any(w.startswith("--signal") for w in item.words))


RULE = Rule("MN917", Severity.WARNING, _check)
