"""What lies in root's home is for root alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.rules.missing_directory import PATHS
from mngen.checks.foreign.stages import filled, settings, stages, values_of
from mngen.diagnostics import Severity

_OPENED = re.compile(r"\bchmod\b[^\n;&|]*\s/root(?:/|\s|$)")
_ROOT_HOME = re.compile(r"^/root(?:/|$)")


def _check(document: Document) -> Iterator[Found]:
    for stage in stages(document):
        values = values_of(stage.instructions)
        if any(part.word in {"RUN", "POST"} and _OPENED.search(part.text) for part in stage.instructions):
            continue
        for part in stage.own:
            for setting in (item for item in settings(part) if item.lasting and item.name in PATHS):
                # `$PATH` in PATH is what an earlier line set, and was judged there.
                others = {name: value for name, value in values.items() if name != setting.name}
                for entry in filled(setting.value, others).split(":"):
                    if _ROOT_HOME.match(entry):
                        yield Found(
                            setting.line,
                            f"{setting.name} names `{entry}`, and only root may look into /root: under Apptainer, and "
                            "with USER or `--user`, what lies there is not found",
                            "install it below /opt or /usr/local, where every user can read it",
                        )


RULE = Rule("MN914", Severity.WARNING, _check)
