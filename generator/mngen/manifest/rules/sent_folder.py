"""``runtime_env.working_dir``: the driver runs in Ray's copy of it, which goes with the job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import note, warning
from mngen.manifest.judging.placed_texts import argument_lists
from mngen.manifest.model import Target
from mngen.manifest.text import spelled

_OUTPUT = (
    r"(?:--|\+{0,2})(?P<name>(?:[\w-]+\.)*(?:[A-Za-z]+[_-])*"
    r"(?:default_local_dir|(?:output|save|log|logging|ckpt|checkpoint|checkpoints|rollout_data|validation_data)[_-]dir"
    r"|(?:output|save)[_-]path|save|logdir))(?:=(?P<value>.*))?"
)
"""Arguments by which trainers are told where to write: verl, OpenRLHF, slime, Hugging Face."""
_NO_PATH = r"[-+.0-9eE]*|true|false|null|none|yes|no|auto|steps?|epoch|best|all"


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about outputs in that copy, and note where there may be some.

    Ray unpacks the folder below its session on each node, starts the driver and its workers there
    (https://docs.ray.io/en/latest/ray-core/handling-dependencies.html), and the session is the job's own.
    """
    runtime_env = target.driver.runtime_env
    if target.driver.submit != "ray-job" or runtime_env is None or not (runtime_env.working_dir or runtime_env.file):
        return
    field = "driver.runtime_env." + ("working_dir" if runtime_env.working_dir else "file")
    sent = "working_dir" if runtime_env.working_dir else f"the working_dir of {runtime_env.file}, if it has one"
    runs = f"Ray runs the driver and its workers in copies of {sent}"
    for place, name, value in _relative(target):
        message = f"{place} ({name}={value}) is a relative path, and {runs}: what is written there goes with the job"
        hint = "write an absolute path that all nodes share"
        yield warning(target, "MN319", place, message, hint=hint, other=(field,))
        return
    message = f"{runs}: what they write to relative paths goes with the job"
    yield note(target, "MN319", field, message, hint="right if checkpoints and all else have absolute paths")


def _relative(target: Target) -> Iterator[tuple[str, str, str]]:
    """Yield the driver's arguments that name a relative place to write to."""
    words = [(field, spelled(text)) for field, text in argument_lists(target) if field.startswith("driver.")]
    for index, (field, word) in enumerate(words):
        match = re.fullmatch(_OUTPUT, word, re.DOTALL)  # compiled for the few manifests that send a folder
        if match is None:
            continue
        value = match["value"]
        if value is None:
            value = words[index + 1][1] if word.startswith("--") and index + 1 < len(words) else ""
        if (
            not value.startswith(("/", "$", "~", "-", "[", "{"))
            and "://" not in value
            and not re.fullmatch(_NO_PATH, value, re.IGNORECASE)
        ):
            yield field, match["name"], value
