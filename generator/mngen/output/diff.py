"""Changes as a unified diff in git's dialect, from what is on disk to what would be rendered.

``git apply`` accepts it, so a reviewer can take single hunks:
https://git-scm.com/docs/diff-format#generate_patch_text_with_p.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from mngen.output.changes import Change
from mngen.output.places import is_executable

_FORCED = {False: "replaces it", True: "removes it"}
_NO_NEWLINE = "\\ No newline at end of file\n"


def unified(changes: Sequence[Change], prefix: str = "") -> str:
    """Return the diff of all changes; ``prefix`` (with its final ``/``) stands before every path."""
    return "".join(line for change in changes for line in _one(change, prefix + change.path))


def _one(change: Change, path: str) -> Iterator[str]:
    old = _text(change)
    if old is None:
        # No patch says it, and git passes over lines outside of patches.
        way = "move it away" if change.blocked else f"`mngen render --force` {_FORCED[change.new is None]}"
        yield f"# {path}: what is there is no {'file' if change.blocked else 'text'}; {way}\n"
        return
    lines = [*_modes(change), *_hunks(old, change, path)]
    if lines:  # a header alone would make the whole patch invalid
        yield f"diff --git a/{path} b/{path}\n"
        yield from lines


def _text(change: Change) -> str | None:
    """Return the text that is there, or ``None`` when it is a link, a folder or bytes that are no text."""
    if change.old is not None and change.old_mode is None:
        return None
    try:
        text = (change.old or b"").decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _modes(change: Change) -> Iterator[str]:
    if change.old is None:
        yield f"new file mode {_git_mode(change.new_mode)}\n"
    elif change.new is None:
        yield f"deleted file mode {_git_mode(change.old_mode)}\n"
    elif is_executable(change.old_mode) != is_executable(change.new_mode):
        yield f"old mode {_git_mode(change.old_mode)}\n"
        yield f"new mode {_git_mode(change.new_mode)}\n"


def _git_mode(mode: int | None) -> str:
    """Return the mode as git records it: a file is executable or not."""
    return "100755" if is_executable(mode) else "100644"


def _hunks(old: str, change: Change, path: str) -> Iterator[str]:
    end = "\t" if " " in path else ""  # as git ends a name with blanks
    before = "/dev/null" if change.old is None else f"a/{path}{end}"
    after = "/dev/null" if change.new is None else f"b/{path}{end}"
    for line in difflib.unified_diff(_lines(old), _lines(change.new or ""), before, after):
        yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """Split at newlines alone; ``str.splitlines`` would also split at form feeds and the like."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
