"""Every directive of every example, read by the real `sbatch` of each generation."""

import re
from collections.abc import Callable

import pytest
from lab import Lab
from lab_files import HOME, SUITES, Shape
from software import ROOT

# A job would start, or the controller says that this cluster has not such nodes, features or licences: it understood.
UNDERSTOOD = re.compile(
    r"sbatch: Job \d+ to start at .*|allocation failure: .*|sbatch: error: Ignoring .* configuration .*"
)
# Options that an example asks for by name, and the first generation that has them: https://slurm.schedmd.com/sbatch.html.
NEWER = {"--prefer=": "22.05", "--segment=": "24.11"}


@pytest.mark.parametrize("slurm", SUITES)
def real_directives(
    slurm: str, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]
) -> None:
    """`sbatch --test-only` understands each job file."""
    record_property("slurm", slurm)
    lab, file = cluster(Shape(slurm=slurm)), f"{HOME}/job.sbatch"
    read = 0
    for example in sorted((ROOT / "golden").glob("*/out/*/job.sbatch")):
        text = example.read_text()
        if any(slurm < first and f"#SBATCH {name}" in text for name, first in NEWER.items()):
            continue
        lab.path(file).write_text(text)
        done = lab.run("sbatch", "--test-only", file, user="alice", cwd=f"{HOME}/alice", check=False)
        for line in (done.stdout + done.stderr).splitlines():
            assert UNDERSTOOD.fullmatch(line), f"{example}: {line}"
        read += 1
    record_property("end", f"{read} job files understood")
