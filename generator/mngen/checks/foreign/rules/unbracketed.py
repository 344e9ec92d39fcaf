"""An IPv6 address needs brackets before its port."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_JOIN = re.compile(
    r"(?<![\[\w/}])\$\{?(\w*(?:ip|addr|address|host|head|master|node)\w*)\}?:(\d{2,5}|\$\{?\w*port\w*\}?)",
    re.IGNORECASE,
)

_BRACKETED = re.compile(r"(?<![\w}])\[\$\{?(\w+)\}?\]")
_ADDRESS = re.compile(r"(?:^|_)ips?(?:_|$)|address", re.IGNORECASE)


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        bracketed = {assign.name for assign in script.assigns if assign.value.text.startswith("[")}
        # Who writes it with brackets elsewhere, after a look at the family, has thought of both.
        bracketed |= set(_BRACKETED.findall(script.text))
        for command in script.commands:
            assigned = [assign.value for assign in command.assigns]
            ray = command.name == "ray"
            for word in (*(command.words if not assigned else ()), *assigned):
                match = _JOIN.search(word.text)
                # Names of hosts need no brackets; `ip` says that it is an address, and Ray is given addresses.
                address = match is not None and (ray or _ADDRESS.search(match.group(1)) is not None)
                if (
                    match
                    and address
                    and match.group(1) not in bracketed
                    and "\n" not in word.text
                    and command.name != "echo"
                ):
                    yield Found(
                        word.line,
                        f"`{match.group()}` has no brackets: with an IPv6 address it is `fd00::1:6379`, "
                        "and nobody can tell the port",
                        "bracket it when it holds a colon: case $ip in *:*) host=[$ip] ;; *) host=$ip ;; esac",
                    )


RULE = Rule("MN753", Severity.WARNING, _check)
