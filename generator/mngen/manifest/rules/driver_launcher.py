"""A driver that is itself a launcher, which starts or awaits processes on every node."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.placed_texts import argument_lists
from mngen.manifest.model import Target
from mngen.manifest.whole_numbers import whole_number

_AWAITS = {
    "torchrun": "--nnodes",  # https://docs.pytorch.org/docs/stable/elastic/run.html
    "torch.distributed.run": "--nnodes",
    "torch.distributed.launch": "--nnodes",
    "accelerate": "--num_machines",  # https://huggingface.co/docs/accelerate/package_reference/cli
}
"""Launchers that wait until so many nodes have met, with the option that says how many."""

_BEHIND = 8
"""Among so many words of a command its program is sought: behind ``env``, ``uv run`` and their like."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about ``srun``, and about a launcher that waits for nodes: the driver runs on the head alone."""
    words = [(field, text.literal or "") for field, text in argument_lists(target) if field.startswith("driver.")]
    names = [word.rpartition("/")[2] for _, word in words[:_BEHIND]]
    if "srun" in names[:1]:
        message = (
            f"{words[0][0]} is srun: the driver runs within the job's step, which has what a second would wait for"
        )
        yield warning(target, "MN302", words[0][0], message, hint="write the program itself")
    for name in names:
        if name in _AWAITS:
            yield from _awaits(target, name, words)
            return


def _awaits(target: Target, name: str, words: list[tuple[str, str]]) -> Iterator[Diagnostic]:
    option = _AWAITS[name]
    following = [*words[1:], ("", "")]
    for (field, word), (_, after) in zip(words, following, strict=True):
        given, equals, value = word.partition("=")
        if given.replace("-", "_") != option.replace("-", "_"):
            continue
        count = whole_number((value if equals else after).partition(":")[0])
        if count is not None and count > 1:
            message = f"{name} waits for {count} nodes, but the driver runs on the head alone"
            hint = "let Ray's workers use the other nodes (Ray Train starts what torchrun does); or write one node"
            yield warning(target, "MN302", field, message, hint=hint)
