"""Generated files on real Slurm with real Ray: every network, node count and Ray of the matrix."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import ledger
import pytest
import yaml
from _pytest.mark import ParameterSet
from cells import COVER, GOLDENS, MORE, ON_CHANGE, PYXIS, Cell, whole
from footprint import Before
from jobs import patient, submit
from lab import Lab
from lab_files import HOME, Shape
from sites import SIF_DATE, SITES
from software import ROOT

HERE = Path(__file__).resolve().parent
# A placeholder, with a second $ text that looks like one; else a piece of text.
PIECE = re.compile(r"(\$?)\$\{\{ (.*?) \}\}|((?:(?!\$?\$\{\{ ).)+)", re.DOTALL)
# Text that a shell, YAML or Slurm would change if anything between `submit.sh` and the driver were careless.
AWKWARD = ("it's $HOME", "new\nline", "*", "", 'a="b c" \\ `d`', "--flag={x: [1, 2]}", "é")
SECRET = "a-value-that-nobody-may-see"


def arguments(cell: Cell) -> list[str]:
    """What the example says that the driver gets, read without mngen; each as a pattern, for what only the job knows."""
    folder = ROOT / "golden" / cell.path.split("/")[0]
    manifest = yaml.load((folder / "manifest.yaml").read_text(), Loader=yaml.BaseLoader)
    own = manifest["targets"][cell.path.split("/")[1]]
    site = yaml.load((folder / own["site"]).read_text(), Loader=yaml.BaseLoader) if "site" in own else {}
    gpus = own.get("resources", {}).get("gpus", manifest["resources"]["gpus"])
    names = {
        "nodes": str(cell.nodes),
        "gpus": gpus,
        **dict.fromkeys(("total_gpus", "ray_gpus"), str(cell.nodes * int(gpus))),
        "env.HOME": f"{HOME}/alice",
    }
    variables = [layer.get("vars", {}) for layer in (manifest, site, own)]
    names |= {f"vars.{name}": value for layer in variables for name, value in layer.items()}
    drivers = (manifest["driver"], own.get("driver", {}))
    words = next((driver["args"] for driver in reversed(drivers) if "args" in driver), [])
    words = [*words, *(word for driver in drivers for word in driver.get("extra_args", []))]
    return ["".join(_pattern(*match, names) for match in PIECE.findall(word)) for word in words]


def _pattern(dollar: str, name: str, plain: str, names: dict[str, str]) -> str:
    if dollar or plain:
        return re.escape(f"${{{{ {name} }}}}" if dollar else plain)
    return re.escape(names[name]) if name in names else r"[\w./:\[\]-]+"


def cells() -> list[ParameterSet]:
    """What runs on each change; the rest of the cover, and what it has no place for, and all others are marked."""
    page = [pytest.param(cell, id=cell.name, marks=pytest.mark.only_page) for cell in (*COVER, *MORE)[len(ON_CHANGE) :]]
    rest = [pytest.param(cell, id=cell.name, marks=pytest.mark.only_all) for cell in whole()]
    return [*(pytest.param(cell, id=cell.name) for cell in ON_CHANGE), *page, *rest]


Clusters = Callable[[Shape], Lab]
Record = Callable[[str, object], None]


@pytest.mark.parametrize("cell", cells())
def real_cell(cell: Cell, cluster: Clusters, record_property: Record) -> None:
    """The driver sees every node, its arguments and its GPUs; nothing is left on the nodes."""
    end(cell, cluster(cell.shape()), record_property)


@pytest.mark.only_page
@pytest.mark.parametrize("cell", [pytest.param(cell, id=cell.name) for cell in GOLDENS])
def real_golden(cell: Cell, cluster: Clusters, record_property: Record) -> None:
    """The same for what is left of the examples."""
    end(cell, cluster(cell.shape()), record_property)


@pytest.mark.only_page
@pytest.mark.parametrize("cell", [pytest.param(cell, id=cell.name) for cell in PYXIS])
def real_pyxis(cell: Cell, cluster: Clusters, record_property: Record) -> None:
    """The same with a stand-in that takes pyxis' options."""
    lab = cluster(cell.shape())
    shutil.copy(HERE / "stub" / "pyxis" / "srun", lab.path("/usr/local/bin/srun"))
    end(cell, lab, record_property)


def end(cell: Cell, lab: Lab, record_property: Record) -> None:
    """Run a cell's job to its end."""
    for name in ("path", "runtime", "net", "nodes", "slurm", "ray"):
        record_property(name, getattr(cell, name))
    lab.folders("alice", *SITES[cell.path].folders)
    for command in SITES[cell.path].commands:
        lab.run("bash", "-c", command)
    before = Before.of(lab)
    env = [f"WANDB_API_KEY={SECRET}", f"SCRATCH={HOME}/alice/scratch", f"SIF_DATE={SIF_DATE}"]
    outcome = patient(lambda: submit(lab, cell.example(), AWKWARD, env=env))
    outcome.expect("COMPLETED", 0, "driver")
    report = outcome.report
    names = list(lab.shape.names)
    patterns = [*arguments(cell), *map(re.escape, AWKWARD)]
    assert len(report["argv"]) == len(patterns)
    for word, pattern in zip(report["argv"], patterns, strict=True):
        assert re.fullmatch(pattern, word), (word, pattern)
    assert report["tasks"] == names
    assert report["actors"] == [[name, 1] for name in names]
    assert [host for host, _ in report["gpus"]] == names
    family = "ipv6" if cell.net == "ipv6" else "ipv4"
    assert all((":" in address) == (family == "ipv6") for address in report["addresses"]), report["addresses"]
    assert report["ray"] == cell.ray
    before.expect_nothing_left()
    assert SECRET not in outcome.log
    record_property("end", f"{outcome.state} {outcome.exit_code}")
    record_property("took", round(outcome.seconds))
    record_property("files", ledger.digest(lab.path(f"{HOME}/alice/work/out/{cell.example().target}")))
