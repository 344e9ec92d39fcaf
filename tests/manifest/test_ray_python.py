"""Which Python has Ray, by the command that runs Ray."""

from __future__ import annotations

import pytest

from mngen.manifest.ray_python import python_of, tells_python


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("ray", "python3"),
        ("uv run ray", "uv run python3"),
        ("conda run --no-capture-output -n rl ray", "conda run --no-capture-output -n rl python3"),
        ("/opt/venv/bin/ray", "/opt/venv/bin/python3"),
        ("venv/bin/ray", "venv/bin/python3"),
        # pip's folders for commands have no Python of their own
        ("/usr/local/bin/ray", "python3"),
        ("/usr/bin/ray", "python3"),
        ("/root/.local/bin/ray", "python3"),
        ("/opt/local/bin/ray", "/opt/local/bin/python3"),
        ("python3.12 -m ray.scripts.scripts", "python3.12"),
        ("uv run python -m ray.scripts.scripts", "uv run python"),
    ],
)
def test_python_of(command: str, python: str) -> None:
    assert python_of(command.split()) == tuple(python.split())
    assert tells_python(command.split())


@pytest.mark.parametrize("command", ["start-ray", "ray2", "python3 -m start", "bash -c x ray", "ray start"])
def test_what_tells_nothing(command: str) -> None:
    assert not tells_python(command.split())
