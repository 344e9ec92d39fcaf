"""Break the launch templates on purpose, in one place at a time; some test must fail. ``make mutate`` runs this.

    python tests/mutation/run.py [--list] [--jobs N] [--baseline FILE] [--report FILE] [WORD...]

Each shell function is emptied in turn, and each line that guards a bug case is replaced (edits.toml). First all tests
run unchanged, which also tells which of them render which function; then, for a function, those that render it run
until one fails, the quickest first, and for a line those of its case. A function that nobody misses must stand in
explained.toml with the reason. The exit status is 1 when one does not, or when an explained one is missed after all.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import mutants
import project as copies

Baseline = dict[str, dict[str, Any]]


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def baseline(project: Path, folder: Path, jobs: int) -> Baseline:
    """Run every test unchanged; what each renders and how long it takes."""
    packages = copies.package(project, folder / "unchanged", None)

    def run(name: str) -> Baseline:
        record = folder / f"{name.replace('/', '-')}.json"
        status, output = copies.pytest(project, packages, [name], record)
        if status not in {0, 1}:
            sys.exit(f"the tests cannot be run:\n{output}")
        found: Baseline = json.loads(record.read_text())
        return found

    with ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(run, copies.test_files(project)))
    return {test: entry for part in parts for test, entry in part.items()}


def attempt(project: Path, folder: Path, mutant: mutants.Mutant, tests: Baseline) -> tuple[str, str]:
    """What became of a mutant: killed by a test, survived, or why it cannot be tried."""
    entries = {test: entry for test, entry in tests.items() if entry["passed"]}
    chosen = [test for test, entry in entries.items() if mutant.concerns(test, entry["functions"])]
    chosen.sort(key=lambda test: entries[test]["seconds"])
    if not chosen:
        return "survived", "no test concerns it"
    work = Path(tempfile.mkdtemp(dir=folder))
    try:
        packages = copies.package(project, work, mutant)
        arguments = work / "arguments"
        arguments.write_text("\n".join(chosen))
        status, output = copies.pytest(project, packages, ["-x", f"@{arguments}"])
    except ValueError as error:
        return "untried", str(error)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if status not in {0, 1}:
        return "untried", output
    named = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
    return ("survived", "") if status == 0 else ("killed", f"by {named[1] if named else 'a test'}")


def judge(mutant: mutants.Mutant, outcome: tuple[str, str], reasons: dict[str, str]) -> tuple[str, bool]:
    """A line of the report, and whether it is as it should be."""
    word, why = outcome
    reason = reasons.get(str(mutant))
    if word == "survived":
        return f"survived  {mutant}  {'because ' + reason if reason else 'UNEXPLAINED ' + why}", reason is not None
    line = f"{word:<9} {mutant}  {why}"
    return (line, word == "killed") if reason is None else (f"{line} BUT IT IS EXPLAINED AWAY", False)


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Break the launch templates in one place at a time; some test must fail."
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="only places with one of these words: B20, check_shm")
    parser.add_argument("--list", action="store_true", help="print the places and stop")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--baseline", type=Path, help="reuse this file, or write it when it is not there")
    parser.add_argument("--report", type=Path, default=copies.ROOT / "build" / "mutation.txt")
    return parser.parse_args()


def main() -> int:
    """Try all mutants, or those that are named."""
    given = options()
    every: list[mutants.Mutant] = [*mutants.find(copies.ROOT), *mutants.edits()]
    chosen = [one for one in every if not given.words or set(re.findall(r"\w+", str(one))) & set(given.words)]
    if given.list:
        say("\n".join(str(mutant) for mutant in chosen))
        return 0
    given.report.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mngen-mutation-", dir="/var/tmp") as name:
        folder = Path(name)
        project = copies.copy(folder)
        if given.baseline and given.baseline.exists():
            tests = json.loads(given.baseline.read_text())
        else:
            tests = baseline(project, folder, given.jobs)
            if given.baseline:
                given.baseline.write_text(json.dumps(tests))
        failing = [test for test, entry in tests.items() if not entry["passed"]]
        lines = [f"fails     {test}  as it is, so it proves nothing" for test in failing]
        say("\n".join([f"{len(tests)} tests, {len(chosen)} places", *lines]))
        reasons, good = mutants.explained(), not failing
        with ThreadPoolExecutor(given.jobs) as pool:
            found = pool.map(lambda mutant: attempt(project, folder, mutant, tests), chosen)
            for mutant, outcome in zip(chosen, found, strict=True):
                line, fine = judge(mutant, outcome, reasons)
                say(line)
                lines.append(line)
                good = good and fine
    given.report.write_text("\n".join(lines) + "\n")
    say(f"{sum(line.startswith('killed') for line in lines)} of {len(chosen)} killed; see {given.report}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
