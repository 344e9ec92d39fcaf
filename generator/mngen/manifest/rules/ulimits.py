"""``ulimits``: values that a shell and the runtimes can set."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target

_MOST_FILES = 1048576  # the stock fs.nr_open, Documentation/admin-guide/sysctl/fs.rst


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about more files than the kernel gives, and fewer than Ray needs."""
    for name, value in target.ulimits:
        field = f"ulimits.{name}"
        if name == "nofile" and (value == "unlimited" or int(value) > _MOST_FILES):
            yield warning(
                target,
                "MN288",
                field,
                f"{field} is {value}, more than the kernel's usual maximum of {_MOST_FILES} (fs.nr_open)"
                + ("; docker and podman refuse it" if target.runtime.is_engine else ""),
                hint="65535 is enough for Ray on hundreds of nodes",
            )
        elif name == "nofile" and int(value) < 4096:
            message = f"{field} is {value}; Ray opens thousands of files and sockets"
            yield warning(
                target,
                "MN288",
                field,
                message,
                hint="65535 is usual",
            )
