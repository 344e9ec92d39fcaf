"""The first word of a command: the name of a program, and nothing that looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target
from mngen.manifest.text import Text, literal

_LINE = re.compile(r"[\w.+-]+\s+\S")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse commands, and paths of images, that begin with a dash; and commands that begin with ``NAME=value``."""
    for field, words in _commands(target):
        start = words[0].parts[0] if words[0].parts else ""
        if not isinstance(start, str):
            continue  # known on the node only
        if start == "":
            message, hint = f"{field} begins with an empty word, which names no program", "write the program first"
        elif start.startswith("-"):
            message = f"{field} begins with {start!r}: what starts a program would take it for an option of its own"
            hint = "write the program first; for a file of that name, ./ before it"
        elif _ASSIGNMENT.match(start):
            name = start.partition("=")[0]
            message = f"{field} begins with {start!r}: no shell reads this list, so it would be the program's name"
            hint = f"write env: {{{name}: …}}, or begin the command with the word env"
        elif _LINE.match(start):
            message = f"{field} begins with the one word {start!r}, which no program is called"
            hint = f"write [{', '.join(start.split())}, …], or the whole command as one text without brackets"
            place = f"{field}.0" if f"{field}.0" in target.spans else field
            yield warning(target, "MN255", place, message, hint=hint)
            continue
        else:
            continue
        place = f"{field}.0" if f"{field}.0" in target.spans else field
        yield finding(target, "MN255", place, message, hint=hint)


def _commands(target: Target) -> Iterator[tuple[str, tuple[Text, ...]]]:
    lists = {
        "driver.command": target.driver.command,
        "container.prefix": target.container.prefix,
        "container.command": tuple(literal(word) for word in target.container.command),
        "ray.command": tuple(literal(word) for word in target.ray.command),
        "ray.python": tuple(literal(word) for word in target.ray.python),
    }
    for service in target.services:
        lists[f"services.{service.name}.command"] = service.command
        if service.ready is not None:
            lists[f"services.{service.name}.ready.command"] = service.ready.command
    if target.image is not None:
        paths = {"image.sif": target.image.sif, "image.sqsh": target.image.sqsh}
        lists.update({field: (path,) for field, path in paths.items() if path is not None})
    yield from ((field, words) for field, words in lists.items() if words)
