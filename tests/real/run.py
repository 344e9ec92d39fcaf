"""Runs generated files on a real Slurm with real Ray; `make test-real` calls this.

Packages and environments are kept below .cache/real and nothing is installed on the machine itself. What a cell makes
lives in namespaces that the kernel ends when this process dies, whichever way.
"""

import argparse
import signal
import sys
import time
from pathlib import Path
from types import FrameType

import machine
import plugin
import pytest
import software
import table
from cells import RAYS
from lab import remove_stale_groups
from lab_files import SUITES
from software import ROOT

HERE = Path(__file__).resolve().parent
# Seconds on two processors: what `make test-real` takes, and what fetching everything takes before.
TAKES, FETCHING = 660, 180
SETS = {"change": "not only_all and not only_page", "page": "not only_all", "all": ""}


def interrupted(number: int, _frame: FrameType | None) -> None:
    """Let a signal unwind the run as Ctrl-C does."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> int:
    """The exit status: pytest's own, or 3 when this machine cannot run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="change", help="what to run; by default what each change needs")
    parser.add_argument("--probe", action="store_true", help="only say what this machine lacks; status 3 if something")
    parser.add_argument("--get", action="store_true", help="probe, and fetch what is needed; status 3 if that fails")
    parser.add_argument("--within", type=int, metavar="SECONDS", help="how much time there is; status 3 if too little")
    parser.add_argument("--page", type=Path, default=ROOT / "build/real/matrix.md", help="where the table goes")
    parser.add_argument(
        "--ledger",
        type=Path,
        metavar="FILE",
        help="leave out cells that passed with the same files; keep those that pass",
    )
    parser.add_argument(
        "words", nargs="*", metavar="PYTEST", help="more arguments for pytest, after --; such as -k scancel"
    )
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    budget = machine.Budget(options.within, time.monotonic())
    try:
        machine.check_machine()
        made = software.is_made(SUITES, RAYS)
        budget.check(TAKES + (0 if made else FETCHING))
        if not made:
            machine.check_sources(SUITES.values(), software.CACHE)
        if options.probe:
            return 0
        software.get_all(tuple(SUITES), RAYS, (software.get_room, software.get_mngen))
        budget.check(TAKES)  # what was fetched may have come slowly
        return 0 if options.get else cells(options)
    except machine.Unavailable as error:
        sys.stderr.write(f"test-real: {error}\n")
        return 3
    except KeyboardInterrupt:
        return 130


def cells(options: argparse.Namespace) -> int:
    """Run the cells and write the table."""
    remove_stale_groups()
    results = plugin.Results()
    command = [
        "-c",
        str(HERE / "pytest.ini"),
        "--rootdir",
        str(HERE),
        "-v",
        "--durations=0",
        "--durations-min=1",
        "-m",
        SETS[options.set],
        *options.words,
        str(HERE),
    ]
    kept = [plugin.Ledger(options.ledger)] if options.ledger else []
    status = int(pytest.main(command, plugins=[plugin, results, *kept]))
    table.write(results.rows, options.page)
    return status


if __name__ == "__main__":
    sys.exit(main())
