"""The wheel that is shipped, or one built once from a clean copy of the sources, and fresh environments to install it into."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "generator", "templates", "schemas")
IGNORED = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist")


def run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what goes into a package: setuptools would find stale files in an old ``build`` folder."""
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=_ignored)
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


def _ignored(folder: str, names: list[str]) -> set[str]:
    # `generator/mngen/build` is a package; only build folders at the top are left-overs.
    return IGNORED(folder, names) - ({"build"} if Path(folder).name == "mngen" else set())


@pytest.fixture(scope="session")
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one in the folder that WHEEL_FOLDER names, else one of these sources.

    It is built without an index: setuptools is one of the development tools.
    """
    given = os.environ.get("WHEEL_FOLDER")
    out = ROOT / given if given else tmp_path_factory.mktemp("wheel")
    if not given:
        sources = request.getfixturevalue("sources")
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, sources)
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def install(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Make an environment with one package in it; return its ``bin`` folder.

    Third-party packages are those of the environment that runs the tests, so that no index is needed; this
    environment's own mngen, which is an editable one, is not among them.
    """

    def make(*what: str | Path) -> Path:
        folder = tmp_path_factory.mktemp("environment")
        venv.create(folder, symlinks=True)
        (library,) = folder.glob("lib/python*/site-packages")
        (library / "others.pth").write_text("\n".join(site.getsitepackages()) + "\n")
        python = folder / "bin" / "python"
        run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", *what)
        return folder / "bin"

    return make
