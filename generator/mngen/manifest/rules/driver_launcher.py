"""A driver that is itself a launcher or a server of several nodes, which starts or awaits processes on each of them."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.launchers import RAY, Call, calls, commands_of, first
from mngen.manifest.judging.placed_texts import commands
from mngen.manifest.judging.shell_words import script_word
from mngen.manifest.model import Runtime, Target, Where
from mngen.manifest.text import spelled

_Words = list[tuple[str, str]]
"""The words of a command, each with its field."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about what waits for other nodes, or asks for them: the driver, and most services, run on the head alone."""
    on_head = {service.name for service in target.services if service.on is Where.HEAD}
    for found in commands(target):
        words = [(field, spelled(text)) for field, text in found]
        if not words:
            continue
        owner = words[0][0]
        is_driver = not owner.startswith("services.")
        if not is_driver and owner.split(".")[1] not in on_head:
            continue
        for command in _all(words):
            if is_driver:
                yield from _own_nodes(target, command)
            yield from _awaits(target, command, is_driver=is_driver)


def _all(words: _Words) -> Iterator[_Words]:
    """Yield a command, and each of the script that its own shell reads; those are all at the script's place."""
    yield words
    place = script_word([word for _, word in words])
    if place is not None and place < len(words):
        field, script = words[place]
        yield from ([(field, word) for word in command] for command in commands_of(script))


def _own_nodes(target: Target, words: _Words) -> Iterator[Diagnostic]:
    start = first([word for _, word in words])
    if start >= len(words):
        return
    field, name = words[start][0], words[start][1].rpartition("/")[2]
    if name == "srun" and (field == "driver.command.0" or target.runtime is Runtime.NONE):  # else MN299
        message = f"{field} is srun: the driver runs within the job's step, which has what a second would wait for"
        yield warning(target, "MN302", field, message, hint="write the program itself")
    following = words[start + 1][1] if start + 1 < len(words) else ""
    if name == "ray" and following in RAY:
        message = f"{field} is ray {following}: the job brings Ray up on all nodes before it starts the driver"
        yield warning(target, "MN302", field, message, hint="write the program itself, which finds that cluster")


def _awaits(target: Target, words: _Words, *, is_driver: bool) -> Iterator[Diagnostic]:
    for call in calls([word for _, word in words], target.resources.nodes):
        field, name = words[call.place][0], call.launcher.name
        who = "the driver" if is_driver else f"service {field.split('.')[1]}"
        if call.count is None:
            message = f"{name} starts processes on the hosts of {call.option}, beside Ray and outside of the runtime"
        else:
            message = f"{name} waits for {call.count} nodes, but {who} runs on the head alone"
        yield warning(target, "MN302", field, message, hint=_hint(call, is_driver=is_driver))


def _hint(call: Call, *, is_driver: bool) -> str:
    if call.launcher.serves and is_driver:
        return "make it a service with `on: every-node` and `--node-rank ${{ node_rank }}`; or write one node"
    if not is_driver:
        return "write `on: every-node` for the service, and give each its `${{ node_rank }}`; or write one node"
    return "let Ray's workers use the other nodes (Ray Train starts what torchrun does); or write one node"
