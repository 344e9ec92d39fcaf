"""Small rendered trees, and what a folder holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mngen.errors import FindingsError
from mngen.output.tree import write_tree
from mngen.plan import Language, RenderedFile, RenderedTree

MakeTree = Callable[..., RenderedTree]
Texts = Callable[[Path], dict[str, str]]


def _tree(
    files: Mapping[str, str],
    *,
    name: str = "job",
    digest: str = "d1",
    modes: Mapping[str, int] | None = None,
    groups: tuple[str, ...] | None = None,
) -> RenderedTree:
    rendered = tuple(
        RenderedFile(
            path=path,
            text=text,
            language=Language.TEXT,
            mode=(modes or {}).get(path, 0o644),
            group=path.partition("/")[0] if "/" in path else "",
        )
        for path, text in files.items()
    )
    return RenderedTree(name, rendered, groups or tuple(dict.fromkeys(f.group for f in rendered)), digest)


def _texts(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != ".mngen.json"
    }


def _refused(tree, out: Path, **options) -> list[str]:
    """Return the codes of a refused write, and check that it changed nothing."""
    before = _snapshot(out)
    with pytest.raises(FindingsError) as caught:
        write_tree(tree, out, **options)
    assert _snapshot(out) == before
    assert all(d.hint and d.span for d in caught.value.diagnostics)
    return [d.code for d in caught.value.diagnostics]


def _snapshot(out: Path) -> dict[str, object]:
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_mode, path.lstat().st_ino)
        for path in [out, *out.rglob("*")]
        if path.exists() or path.is_symlink()
    }


@pytest.fixture
def tree() -> MakeTree:
    """Make a tree; a file's group is its first folder."""
    return _tree


@pytest.fixture
def texts() -> Texts:
    """Read every file below a folder but the inventory."""
    return _texts


@pytest.fixture
def snapshot() -> Callable[[Path], dict[str, object]]:
    """Read time, mode and inode of all that is in a folder."""
    return _snapshot


@pytest.fixture
def refused() -> Callable[..., list[str]]:
    """Return the codes of a refused write, and check that it changed nothing."""
    return _refused
