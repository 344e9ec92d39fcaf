"""The user's own shell texts inside a generated script, each in a quoted here-document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from mngen.launch.inline_scripts import inline_scripts
from mngen.launch.model import TextBlock
from mngen.launch.names import expression, late
from mngen.launch.ranks import Ranks
from mngen.launch.words import script
from mngen.manifest.model import Prepare, Script, Target, Where
from mngen.manifest.text import Ref, Text, spelled
from mngen.plan import Raw, UserText

_FIRST_WORD = re.compile(r"^[ \t]*(\w+)", re.MULTILINE | re.ASCII)


def _delimiter(name: str, body: str) -> Raw:
    """A here-document's end mark that is no line's first word: ShellCheck wants more than bash (SC1118 to SC1121)."""
    words = set(_FIRST_WORD.findall(body))
    mark, number = name.upper(), 2
    while mark in words:
        mark, number = f"{name.upper()}_END_{number}", number + 1
    return Raw(mark)


def _block(name: str, title: str, text: Script, variable: Callable[[str], str]) -> TextBlock:
    body = script(text.text, variable)
    if not body.endswith("\n"):
        body = Raw(body + "\n")
    return TextBlock(name, Raw(title), f"{name}.sh", _delimiter(name, body), body)


def _scripts(target: Target, ranks: Ranks) -> Iterator[tuple[str, str, Script]]:
    if target.host_setup:
        yield "host_setup", "host_setup, on the host", target.host_setup
    if target.setup:
        yield "setup", "setup, before anything else inside the runtime", target.setup
    if target.preflight:
        yield "preflight", "preflight, the user's own check of a node", target.preflight
    for index, step in enumerate(target.prepare, start=1):
        if not runs_here(step, ranks):
            continue
        # A comment that begins with "shellcheck" would be an order to it.
        title = f"prepare, {step.name}" if step.name else f"prepare, step {index}"
        yield f"prepare_{index}", title, step.script
    if target.cleanup:
        yield "cleanup", "cleanup, at the end of a node's work", target.cleanup


def runs_on_workers(step: Prepare) -> bool:
    """Tell whether a step is for every node, which it can be before Ray starts only."""
    return step.on is Where.EVERY_NODE and step.when == "before-ray"


def runs_here(step: Prepare, ranks: Ranks) -> bool:
    """Tell whether a step is for one of these nodes."""
    return ranks.has_head or runs_on_workers(step)


def part(target: Target, ranks: Ranks) -> Target:
    """Return what these nodes have of a target: workers run no driver, and none of the head's steps and services."""
    if ranks.has_head:
        return target
    return replace(
        target,
        driver=replace(target.driver, command=(), args=(), extra_args=()),
        resume=None,
        endpoint=None,
        prepare=tuple(filter(runs_on_workers, target.prepare)),
        services=tuple(service for service in target.services if service.on is Where.EVERY_NODE),
    )


def blocks(target: Target, ranks: Ranks, *, contained: bool) -> tuple[TextBlock, ...]:
    """Every text that these nodes run; ``contained`` when a container keeps the node's variables out."""
    inside, host = late(target, contained=contained), expression(inside=False)
    written = "as the manifest has it" + (", with the site's mirrors" if target.mirrors else "")
    return tuple(
        _block(name, f"{title}, {written}", text, host if name == "host_setup" else inside)
        for name, title, text in _scripts(target, ranks)
    )


def _placeholders(text: Text) -> tuple[tuple[str, str], ...]:
    variable = expression(inside=False)
    found = {ref.name: ref for ref in text.parts if isinstance(ref, Ref) and ref.default is None}
    return tuple((f"${{{variable(name)}}}", spelled(Text((ref,)))) for name, ref in found.items())


def user_texts(target: Target, ranks: Ranks) -> tuple[UserText, ...]:
    """The same texts as the checks want them, with their places in the manifest, and those inside commands."""
    variable = expression(inside=False)
    own = (
        UserText(
            name, script(text.text, variable), text.span, text.literal_block, placeholders=_placeholders(text.text)
        )
        for name, _, text in _scripts(target, ranks)
    )
    return (*own, *inline_scripts(target))
