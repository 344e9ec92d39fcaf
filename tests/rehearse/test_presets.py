"""What `mngen init` writes ends well in a rehearsal, as `init` itself advises to see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRESETS = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "templates" / "presets").glob("*.yaml"))


def mngen(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mngen", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("preset", PRESETS)
def test_preset(preset: str, tmp_path: Path) -> None:
    assert mngen(tmp_path, "init", "--preset", preset, "-o", "manifest.yaml").returncode == 0
    rendered = mngen(tmp_path, "render", "manifest.yaml", "--no-lint", "-o", "out")
    assert rendered.returncode == 0, rendered.stderr
    targets = [path for path in sorted((tmp_path / "out").iterdir()) if path.is_dir() and path.name != "images"]
    assert targets
    for target in targets:
        done = mngen(tmp_path, "rehearse", str(target), "--ray", "stub", "--fault", "plain")
        assert done.returncode == 0, done.stdout + done.stderr
