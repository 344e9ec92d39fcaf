"""Files that a command writes where the user says, one at a time."""

from __future__ import annotations

from pathlib import Path

from mngen.errors import EnvironmentFailure, UsageError


def write_file(path: Path, text: str, *, force: bool) -> bool:
    """Write a file, with the folders around it; tell whether it was written, which one that holds the text is not.

    Raises ``UsageError`` when another file is there and ``force`` is not given, ``EnvironmentFailure`` when it
    cannot be written.
    """
    data = text.encode()
    try:
        if not force and path.exists():
            if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
                return False
            raise UsageError(f"`{path}` exists", hint="choose another name with -o, or overwrite it with --force")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb" if force else "xb") as stream:
            stream.write(data)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write `{path}`: {error.strerror}") from error
    return True
