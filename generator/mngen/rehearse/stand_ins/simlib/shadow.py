"""What a site has and this machine has not: a root that shows those folders and files, and all else in its place.

Whoever asks for a path gets a fresh one even where this machine has it, and nothing of the machine can be written.
"""

import os
from pathlib import Path
from typing import Any

from simlib import kernel
from simlib.place import Sim

NEVER = ("/dev", "/proc", "/sys", "/tmp")
"""The first two levels down, every node has its own."""


def tree(fresh: dict[str, str | None], shown: list[str], absent: list[str] | None = None) -> dict[str, Any]:
    """Nested mappings by path component; a leaf is a text, None, or an empty mapping for what is there already.

    ``fresh`` are files with their text and empty folders (None); ``shown`` are folders with all that is in them;
    ``absent`` is what is not there (False).
    """
    found: dict[str, Any] = {}
    hidden = ((path, False) for path in absent or ())
    for path, text in (*sorted(fresh.items()), *((folder, {}) for folder in shown), *hidden):
        parent, name = os.path.split(os.path.normpath(path))
        whole = os.path.join(os.path.realpath(parent), name)
        if whole == "/" or any(whole == top or whole.startswith(top + "/") for top in NEVER):
            continue
        here = found
        *above, last = whole.strip("/").split("/")
        for part in above:
            inner = here.get(part)
            if not isinstance(inner, dict):
                inner = here[part] = {}
            here = inner
        here.setdefault(last, text)
    return found


def _bind(real: str, shown: str, *, writable: bool = False) -> None:
    if os.path.isdir(real):
        os.makedirs(shown, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(shown), exist_ok=True)
        Path(shown).touch()
    kernel.mount(real, shown, None, kernel.MS_BIND | kernel.MS_REC)
    if not writable:
        kernel.read_only(shown)


def _names(folder: str) -> list[str]:
    """What a folder holds; one that this user cannot read holds nothing."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def show(real: str, shown: str, named: dict[str, Any]) -> None:
    """Fill a folder: what is named anew (see `tree`), the rest of the real one bound."""
    for name in _names(real):
        path = os.path.join(real, name)
        if name in named:
            continue
        if os.path.islink(path):
            os.symlink(os.readlink(path), os.path.join(shown, name))
        elif os.path.isdir(path) or os.path.isfile(path):
            _bind(path, os.path.join(shown, name), writable=path in NEVER)
    for name, inner in named.items():
        path = os.path.join(shown, name)
        if inner is False:
            continue
        if isinstance(inner, str):
            Path(path).write_text(inner)
        else:
            os.mkdir(path)
            if inner is not None:
                show(os.path.join(real, name), path, inner)


def enter(sim: Sim) -> None:
    """Make such a root this process's, if anything is asked for."""
    named = tree(sim.config.get("fresh", {}), sim.config.get("writable", []), sim.config.get("absent", []))
    if not named:
        return
    root = str(sim.root / "spool" / "shadow")
    os.mkdir(root)
    kernel.mount("root", root, "tmpfs", 0, "mode=755")
    show("/", root, named)
    real = (sim.config["ray"].get("real") or {}).get("folders", ())
    for path in (sim.config["stubs"], sim.config["farm"], sim.config["python_prefix"], *real):
        if not os.path.exists(root + path):
            _bind(path, root + path)
    _bind(str(sim.root.parent), root + str(sim.root.parent), writable=True)
    os.chdir(root)
    kernel.pivot_root(".", ".")  # the old root lies below the new one then, see pivot_root(2)
    kernel.umount(".")
    os.chdir("/")
