"""Explanations of fields, from the schema, and of codes, from their registry."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from mngen.codes import CODES, Code
from mngen.errors import UsageError
from mngen.manifest.definitions import KINDS
from mngen.manifest.field_index import Field, fields, find, suggestions
from mngen.manifest.nearest import nearest

_WIDTH = 100
_OURS = re.compile(r"MN\d{3}", re.IGNORECASE)
_OTHERS = {
    "SC": "a finding of ShellCheck: https://www.shellcheck.net/wiki/{code}",
    "DL": "a finding of hadolint: https://github.com/hadolint/hadolint/wiki/{code}",
}


def explanation(name: str) -> str:
    """Return the text on a field's path or a code; on nothing, an overview.

    Raises ``UsageError`` for what is neither.
    """
    if not name:
        return "\n".join(_overview()) + "\n"
    code = name.upper()
    if _OURS.fullmatch(code):
        if code not in CODES:
            close = nearest(code, CODES)
            raise UsageError(f"there is no code `{code}`", hint=f"did you mean `{close}`?" if close else None)
        return "\n".join(_code(code, CODES[code])) + "\n"
    if re.fullmatch(r"(SC|DL)\d{4}", code):
        return f"{code}: {_OTHERS[code[:2]].format(code=code)}\n"
    field = find(name)
    if field is None:
        close_paths = suggestions(name)
        raise UsageError(f"the manifest has no field `{name}`", hint=_meant(close_paths))
    return "\n".join(_field(field)) + "\n"


def known_names() -> tuple[str, ...]:
    """Return all that can be explained, for completion."""
    return (*fields(), *CODES)


def _meant(paths: Iterable[str]) -> str:
    names = " or ".join(f"`{path}`" for path in paths)
    return f"did you mean {names}?" if names else "`mngen explain` lists the fields"


def _overview() -> Iterator[str]:
    yield "Fields of a manifest (`mngen explain FIELD` tells more):"
    yield ""
    yield from _rows(field for field in fields().values() if "." not in field.path)
    yield ""
    yield "`mngen explain CODE` explains the code of a finding:"
    yield ""
    width = max(map(len, CODES))
    yield from (f"  {code:<{width}}  {entry.title}" for code, entry in sorted(CODES.items()))


def _rows(found: Iterable[Field]) -> Iterator[str]:
    rows = [(field.path, field.description.split(". ")[0].rstrip(".")) for field in found]
    width = max((len(path) for path, _ in rows), default=0)
    for path, words in rows:
        yield from textwrap.wrap(
            words,
            _WIDTH,
            initial_indent=f"  {path:<{width}}  ",
            subsequent_indent=" " * (width + 4),
            break_long_words=False,
            break_on_hyphens=False,
        )


def _code(code: str, entry: Code) -> Iterator[str]:
    yield f"{code}: {entry.title}"
    yield ""
    yield from _paragraph(entry.explanation)
    if entry.example:
        yield ""
        yield "Example:"
        yield ""
        yield textwrap.indent(entry.example, "  ")


def _field(field: Field) -> Iterator[str]:
    yield f"{field.path}: {field.type}{', required' if field.required else ''}"
    yield ""
    yield from _paragraph(field.description)
    yield from _facts(field)
    if field.children:
        yield ""
        yield "Inside:"
        yield ""
        yield from _rows(fields()[path] for path in field.children)
    for example in field.examples:
        yield ""
        yield "Example:"
        yield ""
        yield textwrap.indent(f"{field.name.removesuffix('[]')}: {_flow(example)}", "  ")


def _facts(field: Field) -> Iterator[str]:
    facts = []
    if field.choices:
        facts += [f"  {choice}{f': {meaning}' if meaning else ''}" for choice, meaning in field.choices]
    if field.default is not None:
        facts.append(f"Default: {_flow(field.default)}")
    if not field.top:
        facts.append("In a target only.")
    if not field.in_target:
        facts.append("At the top level only.")
    if field.kinds != KINDS:
        facts.append(f"Kinds of target: {', '.join(field.kinds)}")
    if facts:
        yield ""
        yield from facts


def _paragraph(text: str) -> Iterator[str]:
    for part in text.split("\n"):
        yield from textwrap.wrap(part, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]


def _flow(value: Any) -> str:
    """Return a value as one line of YAML, which JSON is."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
