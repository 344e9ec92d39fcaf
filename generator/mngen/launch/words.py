"""Shell words: any text becomes exactly one word that bash turns back into the same bytes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from mngen.manifest.text import Ref, Text
from mngen.plan import Raw

# Words of these characters mean themselves everywhere in bash, also in array literals and after "=".
_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+=-]+")
# ShellCheck takes these in an argument for a forgotten semicolon (SC1010).
_KEYWORDS = frozenset({"do", "done", "esac", "fi", "then"})
# Characters that a reader cannot tell apart or that end a line: written as escapes.
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Zl", "Zp", "Pi", "Pf"})
_AWKWARD = frozenset("'\\$`\n\r\t")
_AWKWARD_IN_QUOTES = frozenset('"\\$`!\n\r\t\u2033\u2036')
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", "'": "\\'"}


def _hides(value: str) -> bool:
    """Tell whether a text holds a hidden character; of ASCII, those are the ones that cannot be printed."""
    return not value.isprintable() if value.isascii() else any(_hidden(char) for char in value)


def _hidden(char: str) -> bool:
    category = unicodedata.category(char)
    return category in _HIDDEN or (category == "Zs" and char != " ")


def _ansi(value: str) -> str:
    """Bash's ``$'…'`` form: escapes for what is hidden, bytes in UTF-8 so that no locale matters."""
    out = []
    for char in value:
        if char in _ESCAPES:
            out.append(_ESCAPES[char])
        elif _hidden(char):
            out.extend(f"\\x{byte:02x}" for byte in char.encode())
        else:
            out.append(char)
    return "$'" + "".join(out) + "'"


@lru_cache(maxsize=256)  # the jobs of one call have most words in common
def quote(value: str) -> Raw:
    """Return one bash word for ``value``, in the plainest form that is safe and that ShellCheck accepts.

    Raises ValueError for NUL, which no argument or variable can hold.
    """
    if "\0" in value:
        msg = "a NUL character cannot be passed to a program"
        raise ValueError(msg)
    if value and _PLAIN.fullmatch(value) and not value.startswith("=") and value not in _KEYWORDS:
        return Raw(value)
    if "'" in value and _in_double_quotes(value):
        return Raw(f'"{value}"')
    # A dollar or backtick in single quotes draws SC2016, a tilde SC2088; in $'…' all are plainly literal.
    if value.startswith("~") or not _AWKWARD.isdisjoint(value) or _hides(value):
        return Raw(_ansi(value))
    return Raw(f"'{value}'")


def _in_double_quotes(value: str) -> bool:
    # ShellCheck takes a double prime for a quotation mark there (SC1111), and a tilde for the home folder.
    return not value.startswith("~") and _AWKWARD_IN_QUOTES.isdisjoint(value) and not _hides(value)


def word(text: Text, expression: Callable[[str], str]) -> Raw:
    """Return one bash word for text with placeholders; ``expression`` names each one's shell variable."""
    fixed = text.literal
    if fixed is not None:
        return quote(fixed)
    pieces = [part if isinstance(part, str) else Ref(part.name) for part in text.parts]
    if all(_in_double_quotes(piece) for piece in pieces if isinstance(piece, str)):
        inner = "".join(p if isinstance(p, str) else f"${{{expression(p.name)}}}" for p in pieces)
        return Raw(f'"{inner}"')
    out = [quote(p) if isinstance(p, str) else f'"${{{expression(p.name)}}}"' for p in pieces if p != ""]
    return Raw("".join(out))


def script(text: Text, expression: Callable[[str], str]) -> Raw:
    """Return shell text of the user's, with placeholders as parameter expansions."""
    return Raw("".join(p if isinstance(p, str) else f"${{{expression(p.name)}}}" for p in text.parts))


def words(texts: Iterable[Text], expression: Callable[[str], str]) -> tuple[Raw, ...]:
    """Return one word for each text."""
    return tuple(word(text, expression) for text in texts)
