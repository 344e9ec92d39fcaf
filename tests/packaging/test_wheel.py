"""What users install has every file, and renders what the sources render."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mngen import __version__

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"generator/mngen": "mngen", "templates": "mngen/templates", "schemas": "mngen/schemas"}
EXAMPLES = sorted(path.parent for path in (ROOT / "golden").glob("*/manifest.yaml"))


@pytest.fixture(scope="session")
def installed(wheel, install) -> Path:
    return install(wheel)


def mngen(binaries: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(binaries / "mngen"), *arguments],
        cwd=cwd,
        # The linters are not part of the wheel: they are beside the python that runs the tests.
        env={"PATH": f"{binaries}:{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_has_exactly_the_files_of_the_tree(wheel) -> None:
    expected = {
        f"{package}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert sorted(expected - names) == [], "not in the wheel: see [tool.setuptools] in pyproject.toml"
    assert sorted(names - expected) == []


def test_the_installed_program_is_the_wheels_own(installed, tmp_path) -> None:
    code = "import mngen; print(mngen.__file__)"
    done = subprocess.run(
        [str(installed / "python"), "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)
    assert mngen(installed, "--version", cwd=tmp_path).stdout == f"mngen {__version__} (manifest mngen/v1)\n"


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.name for example in EXAMPLES])
def test_the_wheel_renders_every_example_to_the_same_bytes(installed, example) -> None:
    done = mngen(installed, "render", "--no-lint", "--check", "manifest.yaml", "-o", "out", cwd=example)
    assert done.returncode == 0, done.stderr


def test_a_preset_goes_all_the_way(installed, tmp_path) -> None:
    assert mngen(installed, "init", "--preset", "minimal", cwd=tmp_path).returncode == 0
    done = mngen(installed, "render", "manifest.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/cluster/job.sbatch").is_file()


def test_it_installs_from_the_folder_of_the_sources(sources, install, tmp_path) -> None:
    binaries = install("--no-build-isolation", sources)
    done = mngen(binaries, "schema", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (ROOT / "schemas/manifest.v1.schema.json").read_text()
