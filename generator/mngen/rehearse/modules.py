"""`module` of the nodes: a function that every shell has, as Lmod and Environment Modules define it."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DOES = "add|avail|del|is-loaded|list|load|purge|refresh|reset|restore|rm|swap|switch|try-load|unload|unuse|update|use"
_CALLS = re.compile(rf"^[^#\n]*\bmodule\s+(?:-\S+\s+)*(?:{_DOES})\b", re.MULTILINE)

MODULE = {
    "BASH_FUNC_module%%": "() {\n"
    "  while [[ ${1-} == -* ]]; do shift; done\n"
    f"  case ${{1-}} in {_DOES}) return 0 ;; esac\n"
    '  echo "module: no ${1-} in a rehearsal" >&2\n'
    "  return 1\n"
    "}"
}
"""The variable by which bash hands a function on (its manual, "Shell Functions")."""


def calls_module(texts: Iterable[str]) -> bool:
    """Tell whether bash texts call it."""
    return any(_CALLS.search(text) for text in texts)
