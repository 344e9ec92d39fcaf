"""Run the published launch commands under real bash and write down what bash passes to their programs.

``python tests/seeds/record.py`` rewrites every ``*.argv.json`` here; the test only compares.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = "/root"
"""The home folder in the recorded runs, whoever runs them."""

PROGRAMS = ("python3", "ray", "srun", "docker", "apptainer")
"""The programs that a seed calls first; every one is replaced by the recorder."""

RECORDER = """\
#!{python}
import json, os, sys
with open({out!r}, "a", encoding="utf-8") as out:
    out.write(json.dumps([os.path.basename(sys.argv[0]), *sys.argv[1:]]) + "\\n")
"""


@dataclass(frozen=True)
class Recorded:
    """One seed's call: the words of its launcher (``srun ... docker exec NAME``), and the trainer's own argv."""

    launcher: list[str]
    argv: list[str]


def record(script: Path, variables: Mapping[str, str] | None = None) -> Recorded:
    """Run a script in an empty folder, with only ``variables`` in its environment; return what its first program got."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs, work, out = folder / "bin", folder / "work", folder / "calls"
        programs.mkdir()
        work.mkdir()
        for program in PROGRAMS:
            stub = programs / program
            stub.write_text(RECORDER.format(python=sys.executable, out=str(out)), encoding="utf-8")
            stub.chmod(0o755)
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": HOME, "LC_ALL": "C", **(variables or {})}
        command = ["bash", str(script)]
        done = subprocess.run(
            command, cwd=work, env=environment, capture_output=True, text=True, timeout=30, check=False
        )
        calls = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []
    if len(calls) != 1:
        raise AssertionError(f"{script.name} called {len(calls)} programs, not one: {done.stderr}")
    words = calls[0]
    start = words.index("python3")
    return Recorded(launcher=words[:start], argv=words[start:])


def expected(seed: str) -> list[str]:
    """Return what a seed's manifest passes: the recorded list, and what that needs behind it to run today."""
    added = HERE / f"{seed}.added.json"
    words: list[str] = json.loads((HERE / f"{seed}.argv.json").read_text(encoding="utf-8"))
    return words + (json.loads(added.read_text(encoding="utf-8")) if added.exists() else [])


def dumps(words: list[str]) -> str:
    """Spell a list of words as the JSON files here do: one word a line."""
    return json.dumps(words, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Rewrite the JSON files of every seed script."""
    for script in sorted(HERE.glob("*.sh")):
        recorded = record(script)
        script.with_suffix(".argv.json").write_text(dumps(recorded.argv), encoding="utf-8")
        launcher = script.with_suffix(".launcher.json")
        if recorded.launcher:
            launcher.write_text(dumps(recorded.launcher), encoding="utf-8")


if __name__ == "__main__":
    main()
