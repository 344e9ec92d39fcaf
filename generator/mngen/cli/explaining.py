"""Explanations of fields, from the schema, of placeholders, variables, and of codes, from their registry."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mngen.codes import CODES, Code
from mngen.codes.labels import label
from mngen.errors import UsageError
from mngen.manifest.definitions import KINDS
from mngen.manifest.field_index import Field, fields, find, suggestions
from mngen.manifest.job_variables import BEFORE_SETUP, JOB_VARIABLES
from mngen.manifest.nearest import nearest
from mngen.manifest.other_words import told
from mngen.manifest.placeholders import Described, Placeholder, described, split

_WIDTH = 100
_OURS = re.compile(r"MN\d{3}", re.IGNORECASE)
_OTHERS = {
    "SC": "a finding of ShellCheck: https://www.shellcheck.net/wiki/{code}",
    "DL": "a finding of hadolint: https://github.com/hadolint/hadolint/wiki/{code}",
}
_TARGET = re.compile(r"targets?\.[^.\[\]]+")
"""A target by its name."""
_PLACEHOLDERS = {one.name: one for one in described()}


def explanation(name: str) -> str:
    """Return the text on a field's path, a placeholder, a variable or a code; on nothing, an overview.

    Raises ``UsageError`` for what is none of them.
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
    if "${{" in name:
        return "\n".join(_placeholder(_named_by(name))) + "\n"
    parts = list(_named(name))
    if not parts:
        raise UsageError(
            f"the manifest has no field `{name}`", hint=_misplaced(name) or told(name) or _meant(suggestions(name))
        )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _named(name: str) -> Iterator[Iterator[str]]:
    """Yield the texts on a plain name: a field's, a placeholder's and a variable's may be one and the same."""
    field = find(name) or (fields()["targets"] if _TARGET.fullmatch(name) else None)
    if field is not None:
        yield _field(field)
    if name in _PLACEHOLDERS:
        yield _placeholder(_PLACEHOLDERS[name])
    variable = name.removeprefix("$")
    if variable in JOB_VARIABLES:
        yield _variable(variable)


def _misplaced(name: str) -> str | None:
    """Return a hint for a field below a target's name that stands at the top level of the manifest alone."""
    within = _TARGET.match(name)
    field = find(name[within.end() + 1 :]) if within and name[within.end() :].startswith(".") else None
    return f"`{field.path}` stands at the top level of the manifest alone" if field else None


def known_names() -> tuple[str, ...]:
    """Return all that can be explained, for completion."""
    return tuple(dict.fromkeys((*fields(), *_PLACEHOLDERS, *JOB_VARIABLES, *CODES)))


def _named_by(text: str) -> Described:
    """Return the placeholder that ``${{ ... }}`` is, with a name of the manifest's own in it or without."""
    (part, *rest) = split(text.strip())
    name = part.name if isinstance(part, Placeholder) and not rest else None
    if name is None:
        raise UsageError(f"`{text}` is not one placeholder", hint="one is spelled `${{ NAME }}`")
    shape = re.sub(r"^(vars|env|services)\.[^.]+", r"\1.NAME", name)
    if isinstance(part, Placeholder) and part.default is not None:
        shape += ":-DEFAULT"
    if shape not in _PLACEHOLDERS:
        close = nearest(shape, _PLACEHOLDERS)
        hint = f"did you mean `${{{{ {close} }}}}`?" if close else "`mngen explain` lists the placeholders"
        raise UsageError(f"there is no placeholder `{name}`", hint=hint)
    return _PLACEHOLDERS[shape]


def _placeholder(found: Described) -> Iterator[str]:
    yield f"${{{{ {found.name} }}}}: placeholder"
    yield ""
    yield from _paragraph(f"{found.meaning[0].upper()}{found.meaning[1:]}.")
    yield ""
    yield f"Known {found.known}."


def _variable(name: str) -> Iterator[str]:
    meaning = JOB_VARIABLES[name]
    yield f"{name}: variable of every job"
    yield ""
    yield from _paragraph(f"{meaning[0].upper()}{meaning[1:]}.")
    if name in BEFORE_SETUP:
        yield ""
        yield "Exported on every node, before `setup`."


def _meant(paths: Iterable[str]) -> str:
    names = " or ".join(f"`{path}`" for path in paths)
    return f"did you mean {names}?" if names else "`mngen explain` lists the fields"


def _overview() -> Iterator[str]:
    yield "Fields of a manifest (`mngen explain FIELD` tells more):"
    yield ""
    yield from _rows(field for field in fields().values() if "." not in field.path)
    yield ""
    yield "Placeholders, for the text of any field that is read late enough (`mngen explain '${{ NAME }}'`):"
    yield ""
    yield from _table([(one.name, one.meaning) for one in _PLACEHOLDERS.values()])
    yield ""
    yield "Variables that shell text may read on every node:"
    yield ""
    yield from _table(list(JOB_VARIABLES.items()))
    yield ""
    yield "`mngen explain CODE` explains the code of a finding:"
    yield ""
    width = max(map(len, CODES))
    yield from (f"  {code:<{width}}  {entry.title}" for code, entry in sorted(CODES.items()))


def _rows(found: Iterable[Field]) -> Iterator[str]:
    yield from _table([(field.path, field.description.split(". ")[0].rstrip(".")) for field in found])


def _table(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
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
        yield f"{label(code)}:"
        yield ""
        yield textwrap.indent(entry.example, "  ")


def _field(field: Field) -> Iterator[str]:
    yield f"{field.path}: {field.type}{', required' if field.required else ''}"
    yield ""
    yield from _paragraph(field.description)
    yield from _facts(field)
    inside = [fields()[path] for path in field.children]
    if field.path == "targets":
        inside = [one for one in fields().values() if one.in_target and one.name == one.path]
    if inside:
        yield ""
        yield "Inside each target:" if field.path == "targets" else "Inside:"
        yield ""
        yield from _rows(inside)
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
