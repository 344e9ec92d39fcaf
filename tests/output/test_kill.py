"""A render killed at any moment leaves whole files, and the next one completes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mngen.errors import FindingsError
from mngen.output.changes import compare
from mngen.output.tree import write_tree

OLD = {"same": "s\n", "a/x": "old x\n", "a/y": "old y\n", "gone/z": "old z\n"}
NEW = {"same": "s\n", "a/x": "new x\n", "a/y": "new y\n", "fresh/w": "new w\n"}
LATER = {"same": "s\n", "a/x": "later x\n", "fresh/w": "later w\n", "a/v": "later v\n"}
RENAMES = 5
"""The journal, a/x, a/y, fresh/w and the inventory."""

MOMENTS = [(count, when) for count in range(1, RENAMES + 1) for when in ("before", "after")]


def killed(tree, out: Path, count: int, when: str) -> None:
    """Render in a child that kills itself at its ``count``-th rename."""
    child = os.fork()
    if child == 0:
        calls = iter(range(1, 100))

        def replace(old: Path, new: Path) -> None:
            last = next(calls) == count
            if last and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            old.replace(new)
            if last:
                os.kill(os.getpid(), signal.SIGKILL)

        in_child(lambda: write_tree(tree, out, replace=replace))
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)


def in_child(work: Callable[[], object]) -> None:
    """Work, and end the process whatever happens: it must not go on as a second pytest."""
    try:
        work()
        os._exit(0)
    finally:
        os._exit(1)


def stale(out: Path) -> Iterator[Path]:
    return (path for path in out.rglob("*") if ".mngen-tmp" in path.parts)


@pytest.fixture
def out(tree, tmp_path) -> Path:
    write_tree(tree(OLD), tmp_path / "out")
    return tmp_path / "out"


@pytest.mark.parametrize(("count", "when"), MOMENTS)
def test_every_file_is_wholly_old_or_wholly_new(tree, texts, out, count, when) -> None:
    killed(tree(NEW), out, count, when)
    for path, text in texts(out).items():
        if not path.startswith(".mngen-tmp/"):
            assert text in {OLD.get(path), NEW.get(path)}


@pytest.mark.parametrize("then", [OLD, NEW, LATER], ids=["old", "new", "later"])
@pytest.mark.parametrize(("count", "when"), MOMENTS)
def test_the_next_render_completes(tree, texts, out, count, when, then) -> None:
    killed(tree(NEW), out, count, when)
    write_tree(tree(then), out)
    assert texts(out) == then
    assert list(stale(out)) == []
    assert compare(tree(then), out).changes == ()


@pytest.mark.parametrize("second", [(1, "after"), (3, "after"), (4, "before")])
@pytest.mark.parametrize("first", MOMENTS)
def test_two_kills_in_a_row_are_survived_too(tree, texts, out, first, second) -> None:
    killed(tree(NEW), out, *first)
    write_tree_or_die(tree(LATER), out, *second)
    write_tree(tree(OLD), out)
    assert texts(out) == OLD
    assert list(stale(out)) == []


def write_tree_or_die(tree, out: Path, count: int, when: str) -> None:
    """Kill a second render; it may have fewer renames left than ``count`` and then completes."""
    try:
        killed(tree, out, count, when)
    except AssertionError:
        assert compare(tree, out).changes == ()


@pytest.mark.parametrize(("count", "when"), MOMENTS)
def test_a_first_render_may_be_killed_too(tree, texts, tmp_path, count, when) -> None:
    killed(tree({path: text for path, text in NEW.items() if path != "same"}), tmp_path, count, when)
    write_tree(tree(LATER), tmp_path)
    assert texts(tmp_path) == LATER


@pytest.mark.parametrize(("count", "when"), MOMENTS)
def test_a_later_render_of_one_target_keeps_what_the_journal_says_of_others(tree, texts, out, count, when) -> None:
    killed(tree(NEW), out, count, when)
    write_tree(tree({"gone/z": "old z\n"}), out, complete=False)
    write_tree(tree(LATER), out)
    assert texts(out) == LATER
    assert list(stale(out)) == []


def test_a_hand_edit_after_a_kill_is_still_seen(tree, out) -> None:
    killed(tree(NEW), out, 3, "after")
    (out / "a/y").write_text("edited\n")
    found = compare(tree(NEW), out).conflicts(out, force=False)
    assert [d.code for d in found] == ["MN504"]


@pytest.mark.parametrize("delay", [0.0, 0.0005, 0.001, 0.002, 0.004, 0.008])
def test_a_kill_between_any_two_instructions(tree, texts, out, delay) -> None:
    many = {f"a/{n}": f"{n}\n" * 50 for n in range(200)}
    child = os.fork()
    if child == 0:
        in_child(lambda: write_tree(tree(many), out))
    signal.sigtimedwait([signal.SIGCHLD], delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    for path, text in texts(out).items():
        if not path.startswith(".mngen-tmp/"):
            assert text in {OLD.get(path), many.get(path)}
    write_tree(tree(many), out)
    assert texts(out) == many
    assert list(stale(out)) == []


@pytest.mark.parametrize("count", range(1, RENAMES + 1))
def test_an_interrupt_removes_temporary_files_and_can_be_continued(tree, texts, out, count) -> None:
    calls = iter(range(1, 100))

    def interrupt(old: Path, new: Path) -> None:
        if next(calls) == count:
            raise KeyboardInterrupt
        old.replace(new)

    with pytest.raises(KeyboardInterrupt):
        write_tree(tree(NEW), out, replace=interrupt)
    assert {path.name for path in stale(out)} <= {".mngen-tmp", "journal.json"}
    write_tree(tree(LATER), out)
    assert texts(out) == LATER


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"manifest": "job"}', '{"manifest": "job", "digests": {"../x": ["d"], "a": 3}}']
)
def test_a_damaged_journal_is_ignored(tree, texts, out, text) -> None:
    (out / ".mngen-tmp").mkdir()
    (out / ".mngen-tmp/journal.json").write_text(text)
    write_tree(tree(NEW), out)
    assert texts(out) == NEW


def test_a_journal_names_its_manifest(tree, tmp_path) -> None:
    killed(tree(NEW), tmp_path, 3, "after")
    with pytest.raises(FindingsError, match="1 finding"):
        write_tree(tree(NEW, name="another"), tmp_path)
