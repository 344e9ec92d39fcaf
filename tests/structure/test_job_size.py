"""How long a job file is, and how little of it belongs to one workload."""

from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from repository import GOLDEN

from mngen import render, targets
from mngen.manifest.load import LoadOptions, load

OWN = re.compile(r"^# [^\n]*\n(?:set_driver|set_environment|write_\w+)\(\) \{\n.*?^\}\n\n", re.MULTILINE | re.DOTALL)
"""What is the user's: the driver's arguments, the environment, texts."""

SITE = """
kind: slurm
runtime: apptainer
image: {sif: /images/rl.sif}
host_setup: module load apptainer
resources: {nodes: 2, gpus: 4, cpus: 64, memory: 200G}
slurm: {partition: gpu, account: rl, time: "01:00:00"}
"""
VERL = """
apiVersion: mngen/v1
name: verl-gsm8k
workdir: /code/verl
mounts: [{source: /data/gsm8k, target: /data/gsm8k, mode: ro}]
env: {HF_HOME: /hf}
logs: {driver: train.log}
driver:
  command: [python3, -m, verl.trainer.main_ppo]
  args: ["trainer.nnodes=${{ nodes }}", "trainer.n_gpus_per_node=${{ gpus }}"]
targets: {job: {kind: slurm, site: site.yaml}}
"""
SEARCH_R1 = """
apiVersion: mngen/v1
name: search-r1
mounts: [{source: /data/wiki, target: /data/wiki, mode: ro}, {source: /code/search-r1, target: /code/search-r1}]
workdir: /code/search-r1
env: {VLLM_ATTENTION_BACKEND: XFORMERS}
services:
  retriever:
    command: [python3, search_r1/search/retrieval_server.py, --port, "${{ services.retriever.port }}"]
    on: every-node
    port: auto
    ready: {tcp: true, timeout: 1800}
driver:
  command: [python3, -m, verl.trainer.main_ppo]
  args: ["retriever.url=http://127.0.0.1:${{ services.retriever.port }}/retrieve"]
targets: {job: {kind: slurm, site: site.yaml}}
"""


def own_part_removed(text: str) -> list[str]:
    """The lines of a job file that are not the user's."""
    return OWN.sub("", text).splitlines()


def job(text: str) -> list[str]:
    """The same of a manifest on the site above."""
    loaded = load(text, "manifest.yaml", LoadOptions(read=lambda _: SITE))
    assert loaded.manifest is not None, loaded.diagnostics
    (found,) = [
        file.text
        for file in render.render(targets.plan(loaded.manifest, partial=True), digest="").files
        if file.path == "job/job.sbatch"
    ]
    return own_part_removed(found)


def test_a_job_of_a_real_workload_is_short() -> None:
    lines = own_part_removed((GOLDEN / "verl-gsm8k-slurm/out/sif/job.sbatch").read_text())
    assert "main_ppo" not in "\n".join(lines)
    assert len(lines) < 374
    assert len([line for line in lines if line and not line.lstrip().startswith("#")]) < 292


def test_two_workloads_of_one_site_differ_in_few_lines() -> None:
    differing = [
        line
        for line in difflib.unified_diff(job(VERL), job(SEARCH_R1), n=0, lineterm="")
        if line[:3] not in ("---", "+++", "@@ ")
    ]
    assert len([line for line in differing if line[0] == "+"]) <= 40, "\n".join(differing)
    assert len([line for line in differing if line[0] == "-"]) <= 40, "\n".join(differing)
