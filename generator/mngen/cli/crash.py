"""What happens when mngen itself is at fault: a report in a file, and two lines that say where."""

from __future__ import annotations

import os
import platform
import shlex
import tempfile
import traceback
from collections.abc import Sequence

from mngen import __version__


def write_report(error: BaseException, arguments: Sequence[str]) -> str | None:
    """Write versions, the command line and the traceback to a private file; return its path, ``None`` if that fails."""
    lines = [
        f"mngen {__version__}",
        f"Python {platform.python_version()} on {platform.platform()}",
        f"command: mngen {shlex.join(arguments)}",
        "",
        *(line.rstrip("\n") for line in traceback.format_exception(error)),
    ]
    try:
        handle, path = tempfile.mkstemp(prefix="mngen-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write("\n".join(lines) + "\n")
    except OSError:
        return None
    return path


def words(error: BaseException, path: str | None) -> str:
    """Return what to tell the user."""
    first = f"internal error: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no message'}"
    where = f"a report was written to {path}" if path else "a report could not be written"
    return f"{first}\nhint: this is a fault of mngen, not of your files; {where}"
