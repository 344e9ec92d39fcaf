"""The Python that has Ray, as far as the command that runs Ray tells it."""

from __future__ import annotations

from collections.abc import Sequence

_OF_PIP = ("/usr/local/bin", "/usr/bin", "/.local/bin")
"""Ends of folders where pip puts commands, while its Python is the one on PATH."""


def python_of(command: Sequence[str]) -> tuple[str, ...]:
    """Return the words that run Python: those before ``-m``, else ``python3`` in the place of ``ray``.

    >>> python_of(["uv", "run", "ray"]), python_of(["/opt/venv/bin/ray"]), python_of(["/usr/local/bin/ray"])
    (('uv', 'run', 'python3'), ('/opt/venv/bin/python3',), ('python3',))
    """
    if "-m" in command[1:]:
        return tuple(command[: command.index("-m", 1)])
    *before, program = command
    folder, slash, _ = program.rpartition("/")
    beside = slash and not folder.endswith(_OF_PIP)
    return (*before, f"{folder}/python3" if beside else "python3")


def tells_python(command: Sequence[str]) -> bool:
    """Tell whether that can be right: Ray by its name behind other words, and no text of a shell among them."""
    if "-m" in command[1:]:
        return command[-1].startswith("ray.")
    return command[-1].rpartition("/")[2] == "ray" and "-c" not in command
