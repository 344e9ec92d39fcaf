"""Bug cases about generators themselves (B145, B146): marks that are left over, arrays that are empty."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import ways
from awkward import AwkwardJob
from generated import render
from plain import files, functions, job_file

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
Jobs = Callable[[str], AwkwardJob]
LITERAL = {
    "A": "${NCCL_IB_GID_INDEX:-3}",
    "B": "{NCCL_IB_GID_INDEX:-3}",
    "C": "{{ x }}",
    "D": "{% raw %}",
    "E": "{0} %s %(x)s",
}
SHELL = Path(__file__).resolve().parents[2] / "templates" / "shell"
NEWER = re.compile(
    r"EPOCHSECONDS|EPOCHREALTIME|SRANDOM|BASH_ARGV0|\bwait -[fp]|\bwait -n -|@[UuLkK]\}|local -I|\bassoc_expand_once|\$\{ "
)
"""What bash has since 5.0 only (its NEWS)."""


@pytest.mark.parametrize("way", ways.WAYS)
def test_b145_no_mark_of_a_template_is_left(awkward_job: Jobs, way: str) -> None:
    for path in awkward_job(way).folder.iterdir():
        text = path.read_text()
        assert not re.search(r"=\{[A-Z_]+[:}]", text), path
        # Podman has templates of its own.
        own = re.compile(r"\$\{\{ ?[\w.]+ ?\}\}|--format '\{\{\.[\w.]+\}\}'")
        assert not re.search(r"(?<!\$)\{\{|\{%|%\}|\{##|##\}", own.sub("", text)), path


def test_b145_braces_of_a_value_are_its_own(cluster: Make) -> None:
    sim = cluster(nodes=1)
    done = sim.sbatch(
        render(sim, {"env": LITERAL, "driver": {"command": ["sim-driver", *LITERAL.values()]}}) / "job.sbatch"
    )
    assert done.status == 0, done.log
    (driver,) = sim.records("driver")
    assert {name: driver["env"][name] for name in LITERAL} == LITERAL
    assert driver["argv"] == list(LITERAL.values())


def test_b146_an_older_bash_is_told_so_before_anything_else(tmp_path: Path) -> None:
    texts = [text for path, text in files(targets=every_kind()).items() if "((BASH_VERSINFO" in text]
    assert len(texts) >= 4
    for text in texts:
        (tmp_path / "job.sh").write_text(text.replace(">= 404", ">= 9904"))
        done = subprocess.run(["bash", "job.sh"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (78, "", "bash 4.4 or newer is needed\n")
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert lines[0] == "set -Eeuo pipefail"
        assert "BASH_VERSINFO" in lines[1]


def every_kind() -> dict[str, dict[str, object]]:
    """A target of each kind."""
    image = {"ref": "example/image:1"}
    return {
        "slurm": {"kind": "slurm"},
        "sky": {"kind": "skypilot", "image": image},
        "stack": {"kind": "dstack", "image": image},
        "hands": {"kind": "manual"},
    }


def test_b146_nothing_of_bash_5_is_used() -> None:
    for path in sorted(SHELL.glob("*.sh*")):
        assert not NEWER.search(path.read_text()), path.name
    for text in files(targets=every_kind()).values():
        assert not NEWER.search(text)


def test_b146_arrays_may_be_empty(cluster: Make) -> None:
    sim = cluster(nodes=1)
    text = job_file(resources={"nodes": 1}, driver={"command": ["sim-driver"], "submit": "ray-job"})
    assert "JOB_OPTIONS=()" in text
    body = 'JOB_DIR=/nonexistent NODE_RANK=1 BATCH_PID=$$ PORT_LOCK=\nset_driver\nprintf "<%s>" "${DRIVER[@]}" "${JOB_OPTIONS[@]}"\nleave 0\n'
    done = sim.run(["bash", "-c", functions(text) + body], node="node1")
    assert (done.status, done.stdout) == (0, "<sim-driver>")
