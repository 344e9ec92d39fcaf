"""A long option with one dash is read as a row of one-letter options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.interpreters import is_python
from mngen.checks.foreign.words import Word
from mngen.checks.option_tables import programs, table
from mngen.diagnostics import Severity

_PIP = (
    "no-build-isolation no-deps no-cache-dir no-cache no-binary only-binary no-index pre index-url extra-index-url "
    "find-links constraint requirement editable upgrade quiet force-reinstall ignore-installed target prefix user "
    "break-system-packages system verbose no-compile no-input root-user-action config-settings require-hashes yes"
)
_LONG = {
    "pip": _PIP,
    "uv": f"{_PIP} index-strategy torch-backend python",
    "apt-get": "yes assume-yes quiet no-install-recommends no-install-suggests allow-downgrades fix-broken reinstall "
    "allow-unauthenticated allow-change-held-packages",
    "git": "depth branch recursive recurse-submodules single-branch revision init hard detach filter",
    "conda": "yes channel name prefix file override-channels all quiet",
    "curl": "fail silent show-error location output retry connect-timeout max-time",
}
"""Long options in use of programs without an option table, without their dashes."""
_LIKE = {"pip3": "pip", "apt": "apt-get", "mamba": "conda", "micromamba": "conda"}
_ONE_DASH = re.compile(r"-([A-Za-z][\w-]+)(?:=.*)?", re.DOTALL)


def _check(document: Document) -> Iterator[Found]:
    for script in document.shell:
        for call in script.calls:
            names = _long_options(call)
            for word in _options(call):
                match = _ONE_DASH.fullmatch(word.text)
                if match and match.group(1) in names:
                    yield Found(
                        word.line,
                        f"`{word.text}` is read as a row of one-letter options, so {call.program} stops or does "
                        "something else",
                        f"write `-{word.text}`",
                    )


def _long_options(call: Call) -> frozenset[str]:
    if is_python(call.program) and call.texts[:2] == ("-m", "pip"):
        return frozenset(_LONG["pip"].split())
    if call.program in programs():
        return frozenset(name.removeprefix("--") for name in table(call.program).options if name.startswith("--"))
    return frozenset(_LONG.get(_LIKE.get(call.program, call.program), "").split())


def _options(call: Call) -> tuple[Word, ...]:
    """Return the words that are the program's own, not those of a command that it runs."""
    own = len(call.words)
    if call.program in programs() and not table(call.program).interspersed:
        own -= len(call.options.operands)
    return call.words[:own]


RULE = Rule("MN703", Severity.ERROR, _check)
