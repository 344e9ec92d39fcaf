"""A copy of the project to try mutants on, so that neither the sources nor their later changes matter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".git", ".venv*", ".cache", "build", "dist")
EVERYWHERE = shutil.ignore_patterns("__pycache__", ".*_cache", "*.egg-info")
LONGEST = 1200
"""Seconds that one run of tests may take."""


def test_files(project: Path) -> list[str]:
    """Return the files with tests that run rendered scripts; those of the simulation itself say nothing about them."""
    found = [path for folder in ("cases", "behaviour") for path in (project / "tests" / folder).glob("test_*.py")]
    return [str(path.relative_to(project)) for path in sorted(found) if not path.name.startswith("test_stub_")]


def copy(folder: Path) -> Path:
    """Copy the project into a folder; tests look into /tmp for what jobs leave, so the folder should be elsewhere."""
    project = folder / "project"
    at_top = shutil.ignore_patterns(*LEFT_OUT)

    def left_out(place: str, names: list[str]) -> set[str]:
        return EVERYWHERE(place, names) | (at_top(place, names) if Path(place) == ROOT else set())

    shutil.copytree(ROOT, project, ignore=left_out)
    return project


def package(project: Path, folder: Path, mutant: Mutant | None) -> Path:
    """Put the import package together from links, and from copies of what is changed."""
    own = folder / "mngen"
    own.mkdir(parents=True)
    sources = [*(project / "generator" / "mngen").iterdir(), project / "templates", project / "schemas"]
    path = mutant.path.removeprefix("generator/mngen/") if mutant else ""
    for source in sources:
        if path.startswith(f"{source.name}/"):
            shutil.copytree(source, own / source.name)
        else:
            (own / source.name).symlink_to(source)
    if mutant is not None:
        (own / path).write_text(mutant.broken((own / path).read_text()))
    return folder


def pytest(project: Path, packages: Path, arguments: list[str], record: Path | None = None) -> tuple[int, str]:
    """Run pytest in the copy with this package; its exit status and output."""
    paths = [str(packages)]
    more = {}
    if record is not None:
        paths.append(str(project / "tests" / "mutation"))
        arguments = ["-p", "recorder", *arguments]
        more = {"MUTATION_RECORD": str(record)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=project,
        env={**os.environ, **more, "PYTHONPATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr
