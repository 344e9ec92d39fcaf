"""The Ray that is installed on this machine, which a rehearsal takes rather than a stand-in."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from msgspec import Struct

from mngen.errors import EnvironmentFailure
from mngen.rehearse.settings import setting
from mngen.rehearse.subject import Subject

_ASK = (
    "import json, sys, ray; "
    "print(json.dumps([ray.__version__, [sys.prefix, sys.base_prefix, ray.__path__[0].rpartition('/')[0]]]))"
)
_HINT = 'pip install "ray[default]=={version}" and have its `ray` on PATH, or rehearse with --ray stub'


class InstalledRay(Struct, frozen=True):
    """A Ray that works here."""

    python: Path
    """The Python that imports it."""
    version: str
    """Its release."""
    folders: tuple[str, ...]
    """What must be there for it to run."""


def choose(wanted: str | None, subject: Subject) -> InstalledRay | None:
    """Return the Ray to take, ``None`` for the stand-in; ``wanted`` is ``real``, ``stub``, or says nothing.

    Without a word it is the installed one, if that has the release that the launch file asks for.
    Raises ``EnvironmentFailure`` when ``real`` is wanted and there is none, or one of another release.
    """
    if wanted == "stub":
        return None
    found = _find()
    release = next(iter(setting(subject.script, "RAY_VERSION")), "")
    fits = found is not None and release in ("", found.version)
    if wanted == "real" and not fits:
        hint = _HINT.format(version=release or "2.52.1")
        if found is None:
            raise EnvironmentFailure("there is no Ray here that works", hint=hint)
        raise EnvironmentFailure(f"{subject.file} wants Ray {release}, here is {found.version}", hint=hint)
    return found if fits else None


def _find() -> InstalledRay | None:
    program = shutil.which("ray")
    beside = Path(program).parent / "python3" if program else None
    for python in (beside, Path(sys.executable)):
        found = _asked(python) if python is not None and python.exists() else None
        if found is not None:
            return found
    return None


def _asked(python: Path) -> InstalledRay | None:
    try:
        done = subprocess.run([python, "-c", _ASK], capture_output=True, text=True, timeout=120, check=True)
        version, folders = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None
    return InstalledRay(python.absolute(), str(version), tuple(dict.fromkeys(map(str, folders))))
