"""An empty entry of a path variable is the current directory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.plain_bases import is_plain, sets_library_paths
from mngen.checks.foreign.rules.missing_directory import PATHS
from mngen.checks.foreign.stages import Setting, settings, stages
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for stage in stages(document):
        known = {"PATH"} if is_plain(stage.base) else set(PATHS)
        if sets_library_paths(stage.base):
            known |= {"LD_LIBRARY_PATH", "LIBRARY_PATH"}
        inherited = stage.instructions[: len(stage.instructions) - len(stage.own)]
        known |= {setting.name for part in inherited for setting in settings(part)}
        for part in stage.own:
            for setting in settings(part):
                if setting.name in PATHS and setting.lasting:
                    yield from _entries(setting, known)
                known.add(setting.name)


def _entries(setting: Setting, known: set[str]) -> Iterator[Found]:
    name, value = setting.name, setting.value
    if value.strip(":") != value or "::" in value:
        yield Found(
            setting.line,
            f"{name} has an empty entry, which stands for the current directory: what lies there is loaded first",
            "remove the colon that has nothing beside it",
            at=value,
        )
    elif name not in known and re.search(rf"(^|:)\$(\{{{name}\}}|{name})(:|$)", value):
        yield Found(
            setting.line,
            f"{name} is not set before, so this ends in an empty entry, which stands for the current directory",
            f"write `${{{name}:+:${name}}}` in place of the colon and the old value, or leave the old value out",
            at=value,
        )


RULE = Rule("MN902", Severity.WARNING, _check)
