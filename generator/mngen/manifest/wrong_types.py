"""What to say when a value has the wrong type, or none."""

from __future__ import annotations

import re
from typing import Any

from mngen.manifest.base_image import image_form
from mngen.manifest.definitions import is_text
from mngen.manifest.field_index import type_words
from mngen.manifest.rewriting import rewritten
from mngen.manifest.said import word
from mngen.manifest.validator import spelled
from mngen.manifest.whole_numbers import MOST_DIGITS
from mngen.manifest.yaml_text import flow

BOOLEANS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
"""Words that YAML 1.1 read as booleans; in YAML 1.2 they are text."""


def type_complaint(
    instance: object, schema: dict[str, Any], path: str, example: str | None
) -> tuple[str, str, str | None]:
    """Return code, message and hint for a value that a schema's ``type`` refuses."""
    if instance is None:
        return "MN106", f"`{path}` is empty", _fill(schema, example)
    kinds = schema.get("type", ())
    wanted = {kinds} if isinstance(kinds, str) else set(kinds)
    must = f"`{path}` must be {_article(type_words(schema))}"
    if "integer" in wanted and (digits := _digits(instance)):
        return "MN103", f"{must}, but this one is too large: {digits} digits", example
    message = f"{must}, but is {_article(described(instance))}"
    return "MN103", message, _of_field(instance, schema, path) or _hint(instance, wanted) or example


def _digits(instance: object) -> int:
    """Return how many digits a whole number has that is too long to be read as one; 0 of anything else."""
    match = re.fullmatch(r"[-+]?([0-9]+)", instance) if isinstance(instance, str) else None
    return len(match[1]) if match and len(match[0]) > MOST_DIGITS else 0


def described(instance: object) -> str:
    """Return what a value is, in words."""
    if isinstance(instance, dict):
        return "map"
    if isinstance(instance, list):
        return "list"
    if isinstance(instance, str):
        return f"the text `{word(instance)}`"
    return f"the number {spelled(instance)}" if not isinstance(instance, bool) else f"`{spelled(instance)}`"


def _fill(schema: dict[str, Any], example: str | None) -> str:
    """Return a hint for an empty value; YAML reads ``key:``, ``~`` and ``null`` as nothing at all."""
    if is_text(schema):
        if schema.get("minLength"):
            return "give it a value (in quotes if the word itself is meant), or remove the key"
        return "write `''` for an empty text, put the word in quotes if it is meant, or remove the key"
    if schema.get("type") == "object" and not schema.get("minProperties"):
        return "write `{}` for a map without keys, or remove the key"
    return f"give it a value ({example}), or remove the key" if example else "give it a value, or remove the key"


def _of_field(instance: object, schema: dict[str, Any], path: str) -> str | None:
    """Return what only some fields take: an image by its file or reference, shell text as lines."""
    key = path.rpartition(".")[2]
    if isinstance(instance, str) and "sif" in schema.get("properties", ()):
        return f"write `{key}: {flow({image_form(instance): instance})}`"
    if path == "driver.runtime_env.pip" and isinstance(instance, str) and instance.endswith((".txt", ".in")):
        place = "" if instance.startswith("/") else "${RAY_RUNTIME_ENV_CREATE_WORKING_DIR}/"
        return f"write `['-r {place}{instance}']` for the packages of a file" + (place and " of `working_dir`")
    if path.endswith("pip") and isinstance(instance, str) and instance.endswith((".txt", ".in")):
        return f"write `[-r {instance}]` for the packages of a file"
    lines = isinstance(instance, list) and all(isinstance(line, str) for line in instance)
    if lines and schema.get("description", "").startswith("Shell text"):
        return f"write `{key}: |` and these lines below it, each indented, without dashes and quotes"
    if schema.get("type") == "object" and isinstance(instance, list) and instance and all(map(_is_pair, instance)):
        return rewritten(instance, path) or "write its keys without dashes: a map has none"
    return rewritten(instance, path)


def _hint(instance: object, wanted: set[str]) -> str | None:
    if isinstance(instance, str):
        return _text_hint(instance, wanted)
    if isinstance(instance, float) and "integer" in wanted and instance.is_integer():
        return f"write `{int(instance)}`"
    if "array" in wanted and "object" not in wanted and isinstance(instance, int | float):
        return f"write `[{spelled(instance)}]`"
    if isinstance(instance, dict) and len(instance) == 1 and "number" in wanted:
        return f"`{next(iter(instance))}: …` reads as a map: put the whole text in quotes, or use a `|` block"
    if isinstance(instance, dict | list) and "number" in wanted:
        return "put it in quotes if this text is meant"
    return None


def _is_pair(item: object) -> bool:
    return isinstance(item, dict) and len(item) == 1


def _text_hint(text: str, wanted: set[str]) -> str | None:
    if "${{" in text and not wanted & {"string", "array", "object"}:
        return "only a field of text can hold a placeholder"
    if "boolean" in wanted and text.lower() in BOOLEANS:
        return f"write `{BOOLEANS[text.lower()]}`"
    if "integer" in wanted and re.fullmatch(r"[0-9][0-9_,]*\+?", text):
        return _number_hint(text)
    if wanted == {"array"}:
        return (
            f"write `[{text}]`"
            if re.fullmatch(r"[A-Za-z0-9_./-]+", text)
            else "write a list: `['…', '…']`, or one `- …` on each line"
        )
    return None


def _number_hint(text: str) -> str:
    if text.endswith("+"):
        asked = f"write `{text[:-1]}`: SkyPilot is asked for at least as many, and Ray gets these"
        return f"{asked}; for all that there are, only raw: {{resources: {{cpus: {text}}}}}"
    return "remove the quotes" if text.isdecimal() else f"write `{re.sub('[_,]', '', text)}`"


def _article(words: str) -> str:
    if words.startswith(("map", "list", "whole")):
        return f"a {words}"
    return words
