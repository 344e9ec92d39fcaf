"""A value in the shape of another tool, written again in the manifest's own: ``-v`` of docker, lists of ``A=1``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mngen.manifest.other_words import FABRICS, ready
from mngen.manifest.validator import spelled
from mngen.manifest.words import NotWordsError, split_words
from mngen.manifest.yaml_text import flow

_MOST = 200
"""A mend that takes more characters is not written out."""

_MOUNT = re.compile(r"(?P<source>[^\s:].*?)(?::(?P<target>/[^:]*))?(?::(?P<mode>[A-Za-z,]+))?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TARGET = re.compile(r"\Atargets\.[^.]+\.")
_ARGUMENTS = r"(?:[a-z.]+\.)?[a-z_]*args"


def rewritten(value: Any, path: str) -> str | None:
    """Return a hint that has the user's own value in the shape of the field at a path, or ``None``."""
    field = _TARGET.sub("", path)
    key = path.rpartition(".")[2].partition("[")[0]
    for pattern, write in _FIELDS:
        if re.fullmatch(pattern, field):
            found = write(value, key)
            return f"write {found}" if found is not None and len(found) <= _MOST else None
    return None


def _keyed(key: str, value: Any) -> str:
    return f"`{key}: {flow(value)}`"


def _mount(text: Any) -> dict[str, str] | None:
    match = _MOUNT.fullmatch(text) if isinstance(text, str) else None
    if match is None or not (match["target"] or text.startswith("/")):
        return None
    read_only = {"mode": "ro"} if "ro" in (match["mode"] or "").split(",") else {}
    return {"source": match["source"], "target": match["target"] or match["source"], **read_only}


def _one_mount(value: Any, _: str) -> str | None:
    mount = _mount(value)
    return f"`{flow(mount)}`" if mount else None


def _mounts(value: Any, key: str) -> str | None:
    if isinstance(value, dict) and value.keys() & {"source", "target"}:
        return f"the map as an item of a list: {_keyed(key, [value])}"
    if isinstance(value, dict):
        found = [
            _mount(f"{source}:{target}") if isinstance(target, str) and str(target).startswith("/") else None
            for source, target in value.items()
        ]
    else:
        found = [_mount(value)]
    return _keyed(key, found) if found and all(found) else None


def _variables(value: Any, key: str) -> str | None:
    """Return a map for ``[A=1, {B: 2}]``, docker's and compose's ways to list variables."""
    found: dict[str, str] = {}
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            pairs = [(str(name), spelled(one)) for name, one in item.items() if not isinstance(one, dict | list)]
        else:
            name, equals, rest = str(item).partition("=")
            pairs = [(name, rest)] if equals else []
        if not pairs or not all(_NAME.fullmatch(name) for name, _ in pairs):
            return None
        found.update(pairs)
    return _keyed(key, found) if found else None


def _secret(value: Any, key: str) -> str | None:
    return (
        None if isinstance(value, list) else f"`{key}: {{}}`: only the name stands here, the value stays in your shell"
    )


def _secrets(value: Any, key: str) -> str | None:
    names: list[str] = []
    for item in value if isinstance(value, list) else [value]:
        names += list(item) if isinstance(item, dict) else [str(item).partition("=")[0]]
    if not all(_NAME.fullmatch(name) for name in names):
        return None
    return f"{_keyed(key, {name: {} for name in names})}: only names stand here, values stay in your shell"


def _command(value: Any, key: str) -> str | None:
    if isinstance(value, str) and "\n" in value.strip():
        return f"`{key}:`, `command: |` below it, and these lines below that, each indented"
    value = value.strip() if isinstance(value, str) else value
    fits = isinstance(value, str) or (isinstance(value, list) and all(isinstance(one, str) for one in value))
    return _keyed(key, {"command": value}) if fits and value else None


def _by_name(value: Any, key: str) -> str | None:
    """Return a map for a list of maps that have a name each."""
    names = [item.get("name") for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    if not names or len(names) != len(value) or not all(isinstance(name, str) for name in names):
        return None
    return f"`{key}: {{{', '.join(f'{flow(name)}: {{…}}' for name in names)}}}`, each by its name"


def _ready(value: Any, _: str) -> str | None:
    if value in ("tcp", True, "true"):
        return "`ready: {tcp: true}`"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return _keyed("ready", {"command": value})
    written = ready(value)
    return f"`{written}`" if written else None


def _step(value: Any, _: str) -> str | None:
    return f"`{flow({'run': value})}`" if isinstance(value, str) else None


def _steps(value: Any, key: str) -> str | None:
    if isinstance(value, str):
        return _keyed(key, [{"run": value}])
    return f"the map as an item of a list: {_keyed(key, [value])}" if isinstance(value, dict) and value else None


def _argument(value: Any, _: str) -> str | None:
    """Return ``trainer.nnodes=4`` for ``trainer.nnodes: 4``."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((name, one),) = value.items()
    single = not isinstance(one, dict | list | type(None)) and re.fullmatch(r"[\w.+@/-]+", name)
    return f"`{name}={spelled(one)}`, or quotes around the text if the colon is part of it" if single else None


def _arguments(value: Any, key: str) -> str | None:
    if isinstance(value, dict):
        single = all(not isinstance(one, dict | list | type(None)) for one in value.values())
        return _keyed(key, [f"{name}={spelled(one)}" for name, one in value.items()]) if value and single else None
    try:
        text = value.replace("\\ ", " ") if isinstance(value, str) else ""  # what `>` makes of lines that end with it
        words = split_words(text) if "${{" not in text else []
    except NotWordsError:
        return None
    return _keyed(key, words) if words else None


def _command_words(value: Any, key: str) -> str | None:
    return _arguments(value, key) if isinstance(value, str) and " " in value.strip() else None


def _code(value: Any, key: str) -> str | None:
    if not isinstance(value, str):
        return None
    git = re.match(r"https?://|git@|ssh://", value)
    return f"`{key}: {{git: {flow(value)}, ref: COMMIT}}`" if git else _keyed(key, {"path": value})


def _git(value: Any, _: str) -> str | None:
    return f"`git: {value.get('url', 'URL')}`, and `ref: …` beside it" if isinstance(value, dict) else None


def _single(name: str, pattern: str = r"\d+") -> Callable[[Any, str], str | None]:
    """Return what writes a scalar as the one key of a map that it can only mean."""

    def write(value: Any, key: str) -> str | None:
        text = "" if isinstance(value, bool | dict | list) else spelled(value)
        meant = FABRICS.get(text.lower(), "") if name == "fabric" else text
        return f"`{key}: {{{name}: {meant}}}`" if re.fullmatch(pattern, meant) else None

    return write


_FIELDS: tuple[tuple[str, Callable[[Any, str], str | None]], ...] = (
    (r"mounts\[\d+\]", _one_mount),
    (r"mounts", _mounts),
    (r"(?:services\.[^.]+\.)?env", _variables),
    (r"secrets\.[^.]+", _secret),
    (r"secrets", _secrets),
    (r"driver|services\.[^.]+", _command),
    (r"services|targets", _by_name),
    (r"services\.[^.]+\.ready", _ready),
    (r"prepare\[\d+\]", _step),
    (r"prepare", _steps),
    (_ARGUMENTS + r"\[\d+\]", _argument),
    (_ARGUMENTS, _arguments),
    (r"container\.(prefix|options|command)|ray\.(command|python)", _command_words),
    (r"code", _code),
    (r"code\.git", _git),
    (r"network", _single("fabric", ".+")),
    (r"retry", _single("max")),
    (r"ray", _single("version", r"\d+(\.\d+)+")),
)
"""Fields, each with what writes another tool's value in its shape."""
