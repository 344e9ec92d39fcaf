"""Empty each shell function of the launch templates in turn; some test must fail. ``make mutate`` runs this.

    python tests/mutation/run.py [--list] [--jobs N] [--baseline FILE] [--report FILE] [FUNCTION...]

First all tests run unchanged, which also tells which of them render which function; then, for each function, those
that render it run until one fails, the quickest first. A function that nobody misses must stand in explained.toml
with the reason. The exit status is 1 when one does not, or when an explained one is missed after all.
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

import explained
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


def killer(project: Path, folder: Path, mutant: mutants.Mutant, tests: Baseline) -> str | None:
    """The test that fails when the function is empty; None when all pass."""
    chosen = [test for test, entry in tests.items() if entry["passed"] and str(mutant) in entry["functions"]]
    chosen.sort(key=lambda test: tests[test]["seconds"])
    if not chosen:
        return None
    work = folder / f"{Path(mutant.path).name}-{mutant.name}"
    try:
        packages = copies.package(project, work, mutant)
        arguments = work / "arguments"
        arguments.write_text("\n".join(chosen))
        status, output = copies.pytest(project, packages, ["-x", f"@{arguments}"])
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if status not in {0, 1}:
        sys.exit(f"{mutant}: the tests cannot be run:\n{output}")
    named = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    return None if status == 0 else named[1] if named else "a test"


def judge(mutant: mutants.Mutant, test: str | None, reasons: dict[str, str]) -> tuple[str, bool]:
    """A line of the report, and whether it is as it should be."""
    reason = reasons.get(str(mutant))
    if test is not None:
        return f"killed    {mutant}  by {test}" + ("  BUT IT IS EXPLAINED AWAY" if reason else ""), reason is None
    return f"survived  {mutant}  {'because ' + reason if reason else 'UNEXPLAINED'}", reason is not None


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Empty each shell function in turn; some test must fail.")
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="only these")
    parser.add_argument("--list", action="store_true", help="print the functions and stop")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--baseline", type=Path, help="reuse this file, or write it when it is not there")
    parser.add_argument("--report", type=Path, default=copies.ROOT / "build" / "mutation.txt")
    return parser.parse_args()


def main() -> int:
    """Try all mutants, or those that are named."""
    given = options()
    chosen = [mutant for mutant in mutants.find(copies.ROOT) if not given.functions or mutant.name in given.functions]
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
        say("\n".join([f"{len(tests)} tests, {len(chosen)} functions", *lines]))
        reasons, good = explained.reasons(), not failing
        with ThreadPoolExecutor(given.jobs) as pool:
            found = pool.map(lambda mutant: killer(project, folder, mutant, tests), chosen)
            for mutant, test in zip(chosen, found, strict=True):
                line, fine = judge(mutant, test, reasons)
                say(line)
                lines.append(line)
                good = good and fine
    given.report.write_text("\n".join(lines) + "\n")
    say(f"{sum(line.startswith('killed') for line in lines)} of {len(chosen)} killed; see {given.report}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
