"""Commands that start a program of the node, which a container does not have; texts are in ``script_dangers``."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.image_use import in_container
from mngen.manifest.judging.node_clients import CLIENTS, INSTEAD
from mngen.manifest.judging.placed_texts import commands, probes
from mngen.manifest.judging.programs import calls
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about clients of container engines and of Slurm in a container, of the driver and of services."""
    if not in_container(target):
        return
    for words in (*commands(target), *probes(target)):
        for call in calls(words):
            field = call.fields[0]
            if call.words[0] not in CLIENTS or (field == "driver.command.0" and call.words[0] == "srun"):  # MN302
                continue
            place = field.rpartition(".")[0]
            message = f"{place} starts {call.words[0]}, a program of the node, which its image seldom has"
            yield warning(target, "MN299", field, message, hint=INSTEAD)
