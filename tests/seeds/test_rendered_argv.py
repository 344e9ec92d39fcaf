"""The rendered launch files, run by bash, start the trainer with the published arguments."""

from __future__ import annotations

import base64
import re
import runpy
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
GOLDEN = HERE.parents[1] / "golden"
RECORD = runpy.run_path(str(HERE / "record.py"))

FILES = [
    "verl-gsm8k-skypilot/out/gcp/boot.sh",
    "verl-gsm8k-skypilot/out/fleet/boot.sh",
    "verl-gsm8k-skypilot/out/hosts/head.sh",
    "verl-gsm8k-slurm/out/sif/job.sbatch",
    "verl-gsm8k-slurm/out/sif-ib/job.sbatch",
    "verl-gsm8k-slurm/out/pyxis/job.sbatch",
    "verl-gsm8k-slurm/out/shifter/job.sbatch",
    "verl-gsm8k-slurm/out/venv/job.sbatch",
    "verl-amd-slurm/out/docker/job.sbatch",
    "verl-amd-slurm/out/podman/job.sbatch",
    "verl-amd-slurm/out/apptainer/job.sbatch",
    "verl-amd-slurm/out/hosts/head.sh",
    "verl-dstack/out/unattended/boot.sh",
    "verl-dstack/out/sky/boot.sh",
    "verl-dstack/out/pyxis/job.sbatch",
    "ray-manual/out/slurm/job.sbatch",
    "search-r1/out/slurm/job.sbatch",
    "sglang-2x8/out/hosts/head.sh",
    "sglang-2x8/out/slurm/job.sbatch",
]
"""Every file whose own process is the driver's parent. The first folder is the seed's name too."""

_SENDS = {"--runtime-env=verl/trainer/runtime_env.yaml", "--no-wait"}
SENT = {
    "ray-manual/out/hosts/submit.sh": _SENDS,
    "search-r1/out/hosts/submit.sh": _SENDS,
    "verl-dstack/out/attached/submit-job.sh": set[str](),
}
"""Every file that sends the driver to a running cluster, and the options that it does so with."""

SET_DRIVER = re.compile(r"^set_driver\(\) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)


def expected(file: str) -> list[str]:
    words = RECORD["expected"](file.split("/", maxsplit=1)[0])
    return [word for word in words if not word.startswith("retriever.url=")]


def without_port(words: list[str]) -> list[str]:
    """Drop the one argument that differs by design: the retriever's port is the job's own."""
    return [word for word in words if not word.startswith("retriever.url=http://127.0.0.1:")]


def decoded(words: list[str]) -> list[str]:
    """Return the words that the head's shell would run: some travel encoded, see ``submit_job.sh.j2``."""
    if words[:2] != ["python3", "-c"]:
        return words
    return [word.decode() for word in base64.b64decode(words[3]).split(b"\0")[:-1]]


@pytest.mark.parametrize("file", FILES)
def test_driver_of_a_launch_file(file, tmp_path):
    functions = SET_DRIVER.findall((GOLDEN / file).read_text(encoding="utf-8"))
    assert len(functions) == 1
    script = tmp_path / "driver.sh"
    script.write_text(f'set -euo pipefail\n{functions[0]}set_driver "$@"\n"${{DRIVER[@]}}"\n', encoding="utf-8")
    recorded = RECORD["record"](script, {"RETRIEVER_PORT": "8000"})
    assert recorded.launcher == []
    assert without_port(recorded.argv) == expected(file)


@pytest.mark.parametrize(("file", "options"), SENT.items(), ids=SENT)
def test_driver_that_is_sent(file, options):
    recorded = RECORD["record"](GOLDEN / file, {"RAY_AUTH_TOKEN": "of-this-test"})
    assert recorded.launcher[:3] == ["ray", "job", "submit"]
    assert recorded.launcher[-1] == "--"
    assert options <= set(recorded.launcher)
    assert without_port(decoded(recorded.argv)) == expected(file)
