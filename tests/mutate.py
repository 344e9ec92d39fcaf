"""Empty each function of ``templates/shell`` in turn; some behaviour test must fail. ``make mutate`` runs this.

    python tests/mutate.py [--list] [--jobs N] [FUNCTION...] [-- PYTEST ARGUMENT...]

Works on a copy of the project, in which the package is put together from links, so that the sources stay untouched.
The exit status is 1 when a function can be emptied without any test noticing.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHELL = Path("templates/shell")
FUNCTION = re.compile(r"^(?P<name>\w+)\(\) (?P<open>[{(])\n(?P<body>.*?)^(?P<close>[})])$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Mutant:
    """One function to empty."""

    path: Path
    name: str

    def text(self, source: str) -> str:
        """Return the file with the function's body replaced by a command that does nothing."""

        def emptied(found: re.Match[str]) -> str:
            if found["name"] != self.name:
                return found[0]
            return f"{found['name']}() {found['open']}\n  :\n{found['close']}"

        return FUNCTION.sub(emptied, source)


def mutants() -> list[Mutant]:
    """Return all functions, by file."""
    files = sorted([*(ROOT / SHELL).glob("*.sh"), *(ROOT / SHELL).glob("*.sh.j2")])
    return [
        Mutant(path.relative_to(ROOT), found["name"]) for path in files for found in FUNCTION.finditer(path.read_text())
    ]


def tests() -> list[str]:
    """Return the test files that run rendered scripts; those of the simulation itself say nothing about them."""
    found = sorted((ROOT / "tests/behaviour").glob("test_*.py"))
    return [str(path.relative_to(ROOT)) for path in found if not path.name.startswith("test_stub_")]


def copy_project(folder: Path) -> None:
    """Copy what tests need, and link the package together below ``package``."""
    for name in ("generator", "templates", "schemas", "golden", "tests", "pyproject.toml"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    package = folder / "package" / "mngen"
    package.mkdir(parents=True)
    for entry in (folder / "generator/mngen").iterdir():
        (package / entry.name).symlink_to(entry)
    for name in ("templates", "schemas"):
        (package / name).symlink_to(folder / name)


def survives(mutant: Mutant | None, arguments: list[str]) -> bool:
    """Tell whether all tests pass with one function emptied; ``None`` empties none."""
    # Not below /tmp: tests look there for what jobs leave behind.
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mutate-", dir=ROOT / "build") as name:
        folder = Path(name)
        copy_project(folder)
        if mutant is not None:
            path = folder / mutant.path
            path.write_text(mutant.text(path.read_text()))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests(), *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder / "package"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in {0, 1} or (mutant is None and done.returncode != 0):
            sys.exit(f"the tests cannot be run:\n{done.stdout}{done.stderr}")
        return done.returncode == 0


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Try all mutants, or those that are named; say which survive."""
    parser = argparse.ArgumentParser(description="Empty each shell function in turn; some test must fail.")
    parser.add_argument("functions", nargs="*", metavar="FUNCTION")
    parser.add_argument("--list", action="store_true", help="print the functions and stop")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    chosen = [mutant for mutant in mutants() if not options.functions or mutant.name in options.functions]
    if options.list:
        say("\n".join(f"{mutant.path}: {mutant.name}" for mutant in chosen))
        return 0
    survives(None, words[split + 1 :])
    with ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(lambda mutant: survives(mutant, words[split + 1 :]), chosen)
        survivors = []
        for mutant, alive in zip(chosen, outcomes, strict=True):
            say(f"{'SURVIVES' if alive else 'noticed':<9} {mutant.path}: {mutant.name}")
            survivors += [mutant] if alive else []
    say(f"{len(chosen) - len(survivors)} of {len(chosen)} functions are noticed when they do nothing")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
