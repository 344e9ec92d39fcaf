"""The shell takes the quotes of an unquoted list away.

Hydra reads ``[console,wandb]`` as it does ``["console","wandb"]``, but ``[1,true]`` as a number and a truth value
(https://hydra.cc/docs/advanced/override_grammar/basic/, quoted and primitive values).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_LIST = re.compile(r"^[\w.+~-]+=\[.*['\"].*\]$")
_PLAIN = re.compile(
    r"(?!-)[\w.+~-]+=\[(?:(?P<quote>['\"])(?!(?:true|false|null|nan|[-+]?inf)(?P=quote))[A-Za-z_/][\w./-]*(?P=quote)(?:,|(?=\]$)))+\]",
    re.IGNORECASE,
)
"""An override of Hydra whose list has words or paths alone, which mean the same without quotes."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            for word in command.words[1:]:
                if _LIST.match(word.raw):
                    yield Found(
                        word.line,
                        f"the program gets `{word.text}`: the shell removes the inner quotes, and `[…]` is a "
                        "glob pattern",
                        f"quote the whole argument: '{word.raw.replace(chr(39), chr(34))}'",
                        Severity.NOTE if _PLAIN.fullmatch(word.raw) else None,
                    )


RULE = Rule("MN725", Severity.WARNING, _check)
