"""Changes as a unified diff in git's dialect, from what is on disk to what would be rendered.

``git apply`` accepts it, so a reviewer can take single hunks:
https://git-scm.com/docs/diff-format#generate_patch_text_with_p.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from mngen.output.changes import Change

_NO_NEWLINE = "\\ No newline at end of file\n"


def unified(changes: Sequence[Change], prefix: str = "") -> str:
    """Return the diff of all changes; ``prefix`` (with its final ``/``) stands before every path."""
    return "".join(line for change in changes for line in _one(change, prefix + change.path))


def _one(change: Change, path: str) -> Iterator[str]:
    yield f"diff --git a/{path} b/{path}\n"
    before, after = f"a/{path}", f"b/{path}"
    if change.old is None:
        yield f"new file mode {_git_mode(change.new_mode)}\n"
        before = "/dev/null"
    elif change.new is None:
        yield f"deleted file mode {_git_mode(change.old_mode)}\n"
        after = "/dev/null"
    elif change.old_mode is not None and _git_mode(change.old_mode) != _git_mode(change.new_mode):
        yield f"old mode {_git_mode(change.old_mode)}\n"
        yield f"new mode {_git_mode(change.new_mode)}\n"
    yield from _hunks(change, before, after)


def _git_mode(mode: int | None) -> str:
    """Return the mode as git records it: a file is executable or not."""
    return "100755" if mode is not None and mode & 0o111 else "100644"


def _hunks(change: Change, before: str, after: str) -> Iterator[str]:
    old = (change.old or b"").decode("utf-8", errors="replace")
    for line in difflib.unified_diff(_lines(old), _lines(change.new or ""), before, after):
        yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """Split at newlines alone; ``str.splitlines`` would also split at form feeds and the like."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
