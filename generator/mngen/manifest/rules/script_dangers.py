"""Commands in the user's scripts that reach beyond the job, or into the log with secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.image_use import in_container
from mngen.manifest.judging.node_clients import CLIENTS, INSTEAD
from mngen.manifest.judging.placed_texts import scripts
from mngen.manifest.judging.script_names import FUNCTIONS, INTERNAL, OF_LOGS, OWN
from mngen.manifest.model import Target
from mngen.manifest.text import spelled


class _Danger(Struct, frozen=True):
    marks: tuple[str, ...]
    """A line that matches holds one of these. Most texts hold none, and compiling a pattern costs as much as a rule."""
    pattern: str
    why: str
    hint: str
    with_secrets: bool = False
    """True when it only matters for a job that has secrets."""
    in_image: bool = False
    """True when it only matters inside a container."""
    with_logs: bool = False
    """True when it only matters for a job that keeps logs."""
    in_job_shell: bool = False
    """True when it only matters in a text that runs in the job's own shell."""


_SILENCE = re.compile(r"#\s*mngen\s+ignore\s*=\s*[\w,\s]*\bMN299\b")
_START = r"(?:^|[;&|({]|\b(?:then|do|else)\b)\s*(?:sudo\s+)?"
_DECLARES = r"(?:(?:export|declare|typeset|local|readonly)\s+(?:-\w+\s+)*)?"
_FUNCTION = "|".join(sorted(FUNCTIONS))
_DANGERS = (
    _Danger(
        ("ray",),
        _START + r"ray\s+stop\b",
        "ends every Ray of this user on the node, other jobs' and SkyPilot's own too",
        "remove it: the job stops what it started",
    ),
    _Danger(
        ("ray",),
        _START + r"ray\s+start\b",
        "starts a Ray beside the job's",
        "remove it: the job starts Ray; options for it go to ray.start_args",
    ),
    _Danger(
        ("kill",),
        _START + r"(?:pkill|killall)\b",
        "stops processes by name, other jobs' too",
        "remove it: the job stops what it started",
    ),
    _Danger(
        ("prune",),
        _START + r"(?:docker|podman)\s+(?:\w+\s+)?prune\b",
        "deletes what other users of the node may need",
        "leave cleaning to the site",
    ),
    _Danger(
        ("/tmp/ray",),
        r"\brm\s+-\w*[rR]\w*\s+(?:\S+\s+)*?/tmp/ray(?:/(?:session_[\w*-]*|\*)?)?(?=[\s;&|)\"']|$)",
        "deletes the sessions of other jobs on the node",
        "remove it: this job has a folder of its own",
    ),
    _Danger(
        ("env", "export", "declare"),
        _START + r"(?:printenv|env|export\s+-p|declare\s+-x)\s*(?:$|[;&|>])",
        "prints every secret into the log",
        "print the variables that matter by name",
        with_secrets=True,
    ),
    _Danger(
        ("set",),
        _START + r"set\s+-\w*x|^\s*set\s+-o\s+xtrace",
        "prints commands with the values of variables into the log, secrets too",
        "remove it once the script works",
        with_secrets=True,
    ),
    _Danger(
        ("module", "ml"),
        _START + r"(?:module|ml)(?=\s+(?:-\w+\s+)*[a-z])",
        "asks for a module of the node, which its image seldom has",
        "move it to host_setup, which runs outside of the container; or install the software in the image",
        in_image=True,
    ),
    _Danger(
        tuple(sorted(CLIENTS)),
        rf"{_START}(?:exec\s+)?(?:\S*/)?(?:{'|'.join(sorted(CLIENTS))})(?=\s|$)",
        "asks for a program of the node, which its image seldom has",
        INSTEAD,
        in_image=True,
    ),
    _Danger(
        ("trap",),
        _START + r"trap\b(?=.*\b(?:EXIT|(?:SIG)?(?:TERM|INT|USR2)|ERR)\b)",
        "replaces how the job itself ends: Ray and the job's files would stay on the node",
        "write it in cleanup, which runs at the end of a node's work",
        in_job_shell=True,
    ),
    _Danger(
        tuple(f"{name}=" for name in sorted(INTERNAL | OWN.keys())),
        rf"{_START}{_DECLARES}(?:{'|'.join(sorted(INTERNAL | OWN.keys()))})=",
        "overwrites a variable of the launch script itself",
        "choose another name",
        in_job_shell=True,
    ),
    _Danger(
        tuple(OF_LOGS),
        rf"{_START}{_DECLARES}(?:{'|'.join(sorted(OF_LOGS))})=",
        "overwrites the folder of the job's logs",
        "write logs: {dir: …}, or choose another name",
        with_logs=True,
        in_job_shell=True,
    ),
    _Danger(
        ("RAY_EXPERIMENTAL_NOSET_",),
        _START + _DECLARES + r"RAY_EXPERIMENTAL_NOSET_(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES=",
        "is cleared before Ray starts, as is what an image has of it",
        "write it in env, where it stays",
        in_job_shell=True,
    ),
    _Danger(
        ("function", "("),
        rf"^\s*(?:function\s+(?:{_FUNCTION})\b|(?:{_FUNCTION})\s*\(\s*\))",
        "replaces a function of the launch script itself",
        "choose another name",
        in_job_shell=True,
    ),
    _Danger(
        ("login",),
        r"\b(?:wandb\s+login|huggingface-cli\s+login|hf\s+auth\s+login)\b[^\n]*\$",
        "puts a secret on a command line, where every user of the node can read it",
        "remove it: wandb and huggingface_hub read WANDB_API_KEY and HF_TOKEN themselves",
    ),
)


def _is_silenced(lines: Sequence[str], number: int) -> bool:
    """Tell whether the line, or a comment above it, says that this is meant: ``# mngen ignore=MN299``."""
    above = lines[number - 2] if number > 1 else ""
    return any(_SILENCE.search(line) for line in (lines[number - 1], above if above.lstrip().startswith("#") else ""))


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about such commands, with the line of the script."""
    for field, script in scripts(target):
        text = spelled(script.text)
        for danger in _DANGERS:
            if _matters(danger, field, target) and any(mark in text for mark in danger.marks):
                yield from _found(danger, field, text.splitlines(), target)


def _matters(danger: _Danger, field: str, target: Target) -> bool:
    if (danger.with_secrets and not target.secrets) or (danger.with_logs and not target.keeps_logs):
        return False
    if danger.in_job_shell and field not in {"setup", "host_setup"}:
        return False
    return not danger.in_image or (field != "host_setup" and in_container(target))


def _found(danger: _Danger, field: str, lines: Sequence[str], target: Target) -> Iterator[Diagnostic]:
    pattern = re.compile(danger.pattern)
    for number, line in enumerate(lines, start=1):
        match = None if line.lstrip().startswith("#") else pattern.search(line)
        if match is not None and not _is_silenced(lines, number):
            command = match.group().strip(" \t;&|({")
            message = f"`{command}` in line {number} of {field} {danger.why}"
            yield warning(target, "MN299", field, message, hint=danger.hint)
