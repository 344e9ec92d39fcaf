"""Runs generated files on a real Slurm with real Ray; `make test-real` calls this.

It installs what is missing, runs the cells one after another and takes away again what it installed. Everything a
cell makes lives in namespaces that the kernel ends when this process dies, whichever way.
"""

import argparse
import os
import signal
import sys
from pathlib import Path
from types import FrameType

import environments
import packages
import plugin
import pytest
import table
from cells import MATRIX, RAYS
from jobs import ROOT

HERE = Path(__file__).resolve().parent


def interrupted(number: int, _frame: FrameType | None) -> None:
    """Let a signal unwind the run as Ctrl-C does."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> int:
    """The exit status: pytest's own, or 3 when this machine cannot run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="all cells, not only those of the set for each change")
    parser.add_argument("--keep", action="store_true", help="leave packages installed that this run installs")
    parser.add_argument(
        "words", nargs="*", metavar="PYTEST", help="more arguments for pytest, after --; such as -k scancel"
    )
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    if os.geteuid() != 0:
        sys.stderr.write("test-real: needs root, for namespaces and Slurm's daemons; run: sudo make test-real\n")
        return 3
    installed: tuple[str, ...] = ()
    try:
        installed = packages.install()
        environments.make(RAYS)
        return cells(options)
    except (packages.Unavailable, environments.Unavailable) as error:
        sys.stderr.write(f"test-real: {error}\n")
        return 3
    except KeyboardInterrupt:
        return 130
    finally:
        if not options.keep:
            packages.remove(installed)


def cells(options: argparse.Namespace) -> int:
    """Run the cells and write the table: into the docs after a whole run, else into build/real/."""
    results = plugin.Results()
    skipped = [] if options.all else [cell.name for cell in MATRIX if cell.only_all]
    without = [word for name in skipped for word in ("--deselect", f"real_matrix.py::real_cell[{name}]")]
    command = ["-c", str(HERE / "pytest.ini"), "--rootdir", str(HERE), "-v", *without, *options.words, str(HERE)]
    status = int(pytest.main(command, plugins=[plugin, results]))
    whole = not options.words and status == 0
    table.write(results.rows, ROOT / ("docs" if whole else "build/real") / "matrix.md")
    return status


if __name__ == "__main__":
    sys.exit(main())
