"""Generated files on real Slurm with real Ray: every network, node count and Ray of the matrix."""

import re
from collections.abc import Callable

import pytest
import yaml
from cells import AWKWARD, MATRIX, OLD_RAY, RAYS, SITES, Cell, example
from footprint import Before
from jobs import ROOT, submit
from lab import Lab
from lab_files import HOME, Shape

PLACEHOLDER = re.compile(r"\$\{\{ (.*?) \}\}")
SECRET = "a-value-that-nobody-may-see"


def arguments(cell: Cell) -> list[str]:
    """What the example says that the driver gets, read without mngen."""
    text = (ROOT / "golden" / cell.path.split("/")[0] / "manifest.yaml").read_text()
    manifest = yaml.load(text, Loader=yaml.BaseLoader)
    names = {"nodes": str(cell.nodes), "gpus": manifest["resources"]["gpus"], "env.HOME": f"{HOME}/alice"}
    names |= {f"vars.{name}": value for name, value in manifest.get("vars", {}).items()}
    return [PLACEHOLDER.sub(lambda match: names[match[1]], word) for word in manifest["driver"].get("args", [])]


CELLS = [pytest.param(cell, id=cell.name, marks=[pytest.mark.only_all] if cell.only_all else []) for cell in MATRIX]


@pytest.mark.parametrize("cell", CELLS)
def real_cell(cell: Cell, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]) -> None:
    """The driver sees every node, its arguments and its GPUs; nothing is left on the nodes."""
    for name in ("path", "runtime", "net", "nodes", "ray"):
        record_property(name, getattr(cell, name))
    lab = cluster(cell.shape())
    lab.folders("alice", *SITES[cell.path].folders)
    before = Before.of(lab)
    job = submit(lab, cell.example(), AWKWARD, env=[f"WANDB_API_KEY={SECRET}"])
    outcome = job.wait()
    outcome.expect("COMPLETED", 0, "driver")
    report = outcome.report
    names = list(lab.shape.names)
    assert report["argv"] == [*arguments(cell), *AWKWARD]
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


def real_old_ray_on_ipv6(cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]) -> None:
    """Ray that cannot do IPv6 (its client server does not bind) ends the job soon, and says so; no hang, no half cluster."""
    for name, value in {"path": "minimal/slurm", "net": "ipv6", "nodes": 2, "ray": OLD_RAY}.items():
        record_property(name, value)
    lab = cluster(Shape(net="ipv6"))
    before = Before.of(lab)
    outcome = submit(lab, example("minimal/slurm", OLD_RAY)).wait()
    outcome.expect("FAILED", 76, "a part died")
    assert "ray has ended on node" in outcome.log
    before.expect_nothing_left()
    record_property("end", f"{outcome.state} {outcome.exit_code}")
    record_property("took", round(outcome.seconds))


assert {cell.ray for cell in MATRIX} == set(RAYS)
