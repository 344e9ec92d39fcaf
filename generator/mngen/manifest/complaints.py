"""A mismatch with the schema in the words of the project, at its place in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.manifest import unknown_keys
from mngen.manifest.capabilities import gpu
from mngen.manifest.cut_values import comma_hint, of_map
from mngen.manifest.definitions import ecma, is_text
from mngen.manifest.durations import for_slurm
from mngen.manifest.field_index import find
from mngen.manifest.nearest import hint as choice_hint
from mngen.manifest.nearest import one_of
from mngen.manifest.node import Node, at
from mngen.manifest.other_words import EVERY_NODE
from mngen.manifest.said import where, word
from mngen.manifest.validator import Mismatch, spelled
from mngen.manifest.wrong_types import BOOLEANS, type_complaint
from mngen.manifest.yaml_text import flow

Complaint = tuple[str, str, str | None]
"""A code, a message and a hint."""

_RUNTIMES = {
    "singularity": "write `apptainer`, with `container: {command: [singularity]}`",
    "podman-hpc": "write `podman`, with `container: {command: [podman-hpc]}`",
    "enroot": "write `pyxis`, Slurm's plugin that starts containers with enroot",
    "shifter": 'write `prefix`, with `container: {prefix: [shifter, "--image=…"]}`',
}
"""Clients of containers, and how a manifest names each."""
_SKYPILOT_MODES = {
    "MOUNT": "write `rw`, which mounts a bucket",
    "MOUNT_CACHED": "write `rw`, which mounts a bucket; for the cached form, raw: {file_mounts: …}",
    "COPY": "write `ro`, which copies a bucket to each node",
}
"""How SkyPilot gets at a bucket, and how a manifest says it."""


def complaints(mismatch: Mismatch, root: Node) -> Iterator[Diagnostic]:
    """Turn one mismatch into diagnostics: several when a map has several unknown keys."""
    node = at(root, mismatch.path)
    if mismatch.keyword == "additionalProperties":
        yield from unknown_keys.complaints(mismatch, node, root)
    elif "propertyNames" in mismatch.schema_path:
        yield _bad_name(mismatch, node)
    else:
        code, message, hint = _MAKERS.get(mismatch.keyword, _other)(mismatch, where(mismatch.path))
        if mismatch.instance is None and mismatch.path:
            hint = comma_hint(of_map(at(root, mismatch.path[:-1])), str(mismatch.path[-1])) or hint
        yield Diagnostic(code, Severity.ERROR, message, _span(mismatch, node), hint)


def _span(mismatch: Mismatch, node: Node) -> Span:
    about_keys = {"required", "dependencies", "not", "minProperties", "maxProperties"}
    if mismatch.keyword in about_keys and node.key_span is not None:
        return node.key_span
    return node.span


def _bad_name(mismatch: Mismatch, node: Node) -> Diagnostic:
    child = at(node, (str(mismatch.instance),))
    wanted = f"expected at most {mismatch.wanted} characters"
    if mismatch.keyword == "pattern":
        wanted = mismatch.schema.get("patternErrorMessage", "")
    message = f"`{word(str(mismatch.instance))}` cannot be a name in `{where(mismatch.path)}`"
    return Diagnostic("MN104", Severity.ERROR, message, child.key_span or node.span, wanted)


def _example(mismatch: Mismatch) -> str | None:
    examples = mismatch.schema.get("examples")
    return f"for example `{_flow(examples[0])}`" if examples else None


def _flow(value: object) -> str:
    return value if isinstance(value, str) else flow(value)


def _type(mismatch: Mismatch, path: str) -> Complaint:
    return type_complaint(mismatch.instance, mismatch.schema, path, _example(mismatch))


def _enum(mismatch: Mismatch, path: str) -> Complaint:
    written = spelled(mismatch.instance)
    choices = [spelled(value) for value in mismatch.wanted]
    if "apptainer" in choices and written in _RUNTIMES:
        return "MN104", f"`{path}` cannot be `{written}`", _RUNTIMES[written]
    if choices == ["rw", "ro"] and written.upper() in _SKYPILOT_MODES:
        return "MN104", f"`{path}` cannot be `{written}`", _SKYPILOT_MODES[written.upper()]
    if "every-node" in choices and written.lower() in EVERY_NODE:
        return "MN104", f"`{path}` cannot be `{written}`", "write `every-node`"
    meant = BOOLEANS.get(written.lower())
    hint = f"write `{meant}`" if meant in choices else choice_hint(written, choices, f"expected {one_of(choices)}")
    return "MN104", f"`{path}` cannot be `{word(written)}`", hint


def _const(mismatch: Mismatch, path: str) -> Complaint:
    return "MN104", f"`{path}` cannot be `{word(spelled(mismatch.instance))}`", f"expected `{mismatch.wanted}`"


def _pattern(mismatch: Mismatch, path: str) -> Complaint:
    written = spelled(mismatch.instance)
    if not written:
        return _empty(mismatch, path)
    message = f"`{path}` cannot be `{word(written)}`"
    wanted = mismatch.schema.get("patternErrorMessage")
    time = for_slurm(written) if wanted and "a Slurm time" in wanted else None
    if time is not None:
        return "MN104", message, f"write `{time}`"
    if path.endswith(".gpu_type") and (model := _gpu(written)) is not None:
        return "MN104", message, f"did you mean `{model}`?"
    template = set("{}$<>") & set(written)  # what somebody has to fill in is no misspelling
    for other in (
        ()
        if template
        else (
            written.strip(),
            written.upper(),
            written.lower(),
            written.replace(" ", "-"),
            written.replace(" ", ""),
        )
    ):
        if other != written and ecma(mismatch.wanted).search(other):
            return "MN104", message, f"did you mean `{word(other)}`?"
    return "MN104", message, wanted


def _gpu(written: str) -> str | None:
    """Return the GPU's own name among words such as its maker's: ``NVIDIA A100``."""
    words = written.split()
    found = (gpu(" ".join(words[first:])) for first in range(len(words)))
    return next((model.name for model in found if model is not None), None)


def _bound(mismatch: Mismatch, path: str) -> Complaint:
    schema = mismatch.schema
    low, high = schema.get("minimum"), schema.get("maximum")
    if "patternErrorMessage" in schema and not is_text(schema):
        wanted = schema["patternErrorMessage"]
    elif high is None:
        wanted = f"expected a whole number of at least {low}"
    else:
        wanted = f"expected a whole number from {low} to {high}"
    return "MN104", f"`{path}` cannot be {spelled(mismatch.instance)}", wanted


def _empty(mismatch: Mismatch, path: str) -> Complaint:
    return "MN106", f"`{path}` is empty", _example(mismatch)


def _too_long(mismatch: Mismatch, path: str) -> Complaint:
    return "MN104", f"`{path}` is too long", f"expected at most {mismatch.wanted} characters"


def _too_many(mismatch: Mismatch, path: str) -> Complaint:
    count = len(mismatch.instance)
    return (
        "MN104",
        f"`{path}` has {count} keys, but takes {mismatch.wanted}",
        f"keep {one_of(word(key) for key in mismatch.instance)}",
    )


def _required(mismatch: Mismatch, path: str) -> Complaint:
    # jsonschema reports each missing key on its own and names it only in its message.
    missing = next(key for key in mismatch.wanted if mismatch.message.startswith(repr(key)))
    field = find(missing if path == "the manifest" else f"{path}.{missing}")
    hint = f"for example `{missing}: {_flow(field.examples[0])}`" if field and field.examples else None
    if missing == "kind" and "site" in mismatch.instance:
        hint = "write it in the target itself, such as `kind: slurm`: a site file is read for a kind that is known"
    place = "" if path == "the manifest" else f" in `{path}`"
    return "MN105", f"missing key `{missing}`{place}", hint


def _together(mismatch: Mismatch, path: str) -> Complaint:
    """Complain of keys that exclude each other: ``dependencies: {a: {not: {required: [b]}}}``."""
    key = str(mismatch.schema_path[-2])
    parts = mismatch.wanted.get("anyOf", [mismatch.wanted])
    other = next(name for part in parts for name in part["required"] if name in mismatch.instance)
    return "MN104", f"`{key}` and `{other}` exclude each other in `{path}`", "keep one of them"


def _needs(mismatch: Mismatch, path: str) -> Complaint:
    key, others = next(
        (key, others)
        for key, others in mismatch.wanted.items()
        if key in mismatch.instance and isinstance(others, list) and not set(others) <= set(mismatch.instance)
    )
    return "MN105", f"`{key}` in `{path}` needs {one_of(others)} beside it", None


def _other(mismatch: Mismatch, path: str) -> Complaint:
    return "MN104", f"`{path}` is not valid", _example(mismatch) or mismatch.message


_MAKERS: dict[str, Callable[[Mismatch, str], Complaint]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minimum": _bound,
    "maximum": _bound,
    "minLength": _empty,
    "minItems": _empty,
    "minProperties": _empty,
    "maxLength": _too_long,
    "maxProperties": _too_many,
    "required": _required,
    "not": _together,
    "dependencies": _needs,
}
