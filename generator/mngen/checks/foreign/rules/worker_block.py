"""A start of Ray that returns at once: a worker whose job goes on without it, a head that ends with its step."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.ray_steps import left_behind
from mngen.checks.foreign.ray_watches import watched
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.called("ray start"):
            if call.options.has("--address") and call.lacks("--block") and watched(script, call):
                yield Found(
                    call.line,
                    "without `--block` this returns at once, and only the loop behind it sees that Ray has ended",
                    "give it `--block`, which ends when Ray's processes do, and leave the loop out",
                    Severity.NOTE,
                )
            elif call.options.has("--address") and call.lacks("--block"):
                yield Found(
                    call.line,
                    "without `--block` this returns at once: the worker's processes are left alone, or are killed with "
                    "the step, and their death goes unseen",
                    "give it `--block`, and let the node's script end when the head does",
                )
        for _step, call in left_behind(script):
            if call.options.has("--head"):
                yield Found(
                    call.line,
                    "without `--block` this returns at once, and the step ends with it: Slurm kills what a step leaves "
                    "behind, so the head is gone before anybody can join it",
                    "give it `--block`, and keep the step in the background: `srun … ray start --head --block &`",
                )


RULE = Rule("MN758", Severity.WARNING, _check)
