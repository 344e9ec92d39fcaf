"""What the real runs need from pytest: clusters that end with their test, and rows for the table of results."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ledger
import pytest
from cells import ENGINES
from faults import PLAIN, RUNTIMES, Run
from lab import Lab
from lab_files import Shape
from sites import SITES
from software import ROOT

LOGS = ROOT / "build" / "real"


class Results:
    """Rows of the table, in the order of the run."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep how a test ended, with what it said of itself."""
        if report.when == "call" or report.failed:
            facts = dict(report.user_properties)
            self.rows.append(
                {"name": report.nodeid.split("::")[-1], "outcome": report.outcome, "seconds": report.duration, **facts}
            )


class Ledger:
    """Leaves out the cells that ran with the same files before, and keeps what passes, at once.

    Attributes:
        path: The ledger's file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what is done."""
        done = {f"real_cell[{cell.name}]" for cell in ledger.current(ledger.read(self.path))}
        out = [item for item in items if item.name in done]
        items[:] = [item for item in items if item.name not in done]
        config.hook.pytest_deselected(items=out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a cell that ended as expected."""
        facts = dict(report.user_properties)
        name = report.nodeid.partition("real_cell[")[2].removesuffix("]")
        if report.when == "call" and report.passed and name:
            ran = ledger.Ran(facts["files"], facts["version"], facts["took"])
            ledger.write({**ledger.read(self.path), name: ran}, self.path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Tell a test's fixtures whether it failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture
def cluster(request: pytest.FixtureRequest) -> Iterator[Callable[[Shape], Lab]]:
    """A factory of clusters; they end with the test, and leave their logs in build/real/ when it fails."""
    made: list[Lab] = []

    def make(shape: Shape) -> Lab:
        lab = Lab(shape)
        made.append(lab)
        lab.start()
        version = lab.run("sinfo", "--version").stdout.split()[-1]
        request.node.user_properties.append(("version", version))
        return lab

    yield make
    for lab in made:
        try:
            if request.node.stash.get(FAILED, True) and lab.pid:
                lab.save_logs(Path(LOGS, request.node.name))
        finally:
            lab.close()


@pytest.fixture
def path() -> str:
    """The example, where a test does not name others."""
    return PLAIN


@pytest.fixture
def run(path: str, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]) -> Run:
    """Two nodes with IPv4, and what the example's runtime needs."""
    site, runtime = SITES[path], RUNTIMES[path]
    engine = runtime if runtime in ENGINES else ""
    return Run(cluster(Shape(gpus=site.gpus, gpu_type=site.gpu_type, engine=engine)), path, record_property)
