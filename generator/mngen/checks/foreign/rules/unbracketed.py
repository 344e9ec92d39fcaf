"""An IPv6 address needs brackets before its port."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.bare_addresses import bare_addresses
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.families import of_ipv4
from mngen.checks.foreign.words import Command, Word
from mngen.diagnostics import Severity

_JOIN = re.compile(
    r"(?<![\[\w}])(?<!(?<!:/)/)\$\{?(\w*(?:ip|addr|address|host|head|master|node)\w*)\}?:(\d{2,5}|\$\{?\w*port\w*(?:\[[^]]*\])?\}?)",
    re.IGNORECASE,
)

_BRACKETED = re.compile(r"(?<![\w}])\[\$\{?(\w+)\}?\]")
_ADDRESS = re.compile(r"(?:^|_)ips?(?:_|$)|address", re.IGNORECASE)


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        bracketed = {assign.name for assign in script.assigns if assign.value.text.startswith("[")}
        # Who writes it with brackets elsewhere, after a look at the family, has thought of both.
        bracketed |= set(_BRACKETED.findall(script.text))
        four = of_ipv4(script.assigns)
        given = bare_addresses(script)
        for command in script.commands:
            found = {
                match: word
                for word in _words(command)
                for match in _joined(word.text, given, ray=command.name == "ray")
            }
            for (name, text, port), word in found.items():
                if name not in bracketed | four:
                    yield _found(word.line, text, port)


def _joined(text: str, given: frozenset[str], *, ray: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the variables that hold addresses and are joined with a port, with the words that do it, and the port."""
    for match in _JOIN.finditer(text):
        # Names of hosts need no brackets; `ip` says that it is an address, and Ray is given addresses. Of others, such
        # as MASTER_ADDR, what they are given tells.
        if ray or _ADDRESS.search(match.group(1)) or match.group(1) in given:
            yield match.group(1), match.group(), match.group(2)


def _words(command: Command) -> Iterator[Word]:
    """Yield a command's words, its assignments' values and the elements of arrays; not what is only shown."""
    assigned = [assign.value for assign in command.assigns]
    items = [item for value in assigned for item in value.items or ()]
    for word in (*(command.words if command.name != "echo" else ()), *assigned, *items):
        if "\n" not in word.text:
            yield word


def _found(line: int, text: str, port: str) -> Found:
    return Found(
        line,
        f"`{text}` has no brackets: with an IPv6 address it is `fd00::1:{port}`, and nobody can tell the port",
        "bracket it when it holds a colon: case $ip in *:*) host=[$ip] ;; *) host=$ip ;; esac",
    )


RULE = Rule("MN753", Severity.WARNING, _check)
