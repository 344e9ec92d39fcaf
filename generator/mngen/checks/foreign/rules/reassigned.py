"""A value that is replaced before anybody reads it was never used."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import variables
from mngen.checks.foreign.words import Assign
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        last: dict[str, Assign] = {}
        for command in script.top:
            used = {name for word in command.words for name in variables(word.text)}
            used |= {name for assign in command.assigns for name in variables(assign.value.text)}
            used |= {
                name for redirect in command.redirects for name in variables(redirect.body or redirect.target.text)
            }
            for name in used:
                last.pop(name, None)
            for assign in command.assigns:
                earlier = last.pop(assign.name, None)
                plain = not (command.branches or command.loops or command.function or assign.exported)
                plain = plain and not {"&&", "||"} & {command.before, command.after}
                if earlier is not None and plain and assign.alone and not assign.append:
                    yield Found(
                        assign.line,
                        f"`{assign.name}` was set in line {earlier.line} and nobody read it since: that value "
                        "has no effect",
                        "keep the assignment that is meant",
                    )
                if plain and assign.alone:
                    last[assign.name] = assign


RULE = Rule("MN727", Severity.WARNING, _check)
