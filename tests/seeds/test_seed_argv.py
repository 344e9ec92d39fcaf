"""The published commands, run under bash again, and the example manifests that must pass the same arguments."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from mngen.manifest.load import LoadOptions, load
from mngen.manifest.text import Ref, Text

HERE = Path(__file__).resolve().parent
GOLDEN = HERE.parents[1] / "golden"
SEEDS = sorted(script.stem for script in HERE.glob("*.sh"))
RECORD = runpy.run_path(str(HERE / "record.py"))

HOME = {"env.HOME": RECORD["HOME"]}
RETRIEVER = {"services.retriever.port": "8000"}

SAME_AS = [
    ("verl-gsm8k-skypilot", "gcp", "verl-gsm8k-skypilot", {}),
    ("verl-gsm8k-slurm", "sif", "verl-gsm8k-slurm", {}),
    ("verl-amd-slurm", "docker", "verl-amd-slurm", {}),
    ("verl-amd-slurm", "podman", "verl-amd-slurm", {}),
    ("verl-dstack", "attached", "verl-dstack", {}),
    ("verl-dstack", "unattended", "verl-dstack", {}),
    ("ray-manual", "hosts", "ray-manual", {}),
    ("search-r1", "slurm", "search-r1", RETRIEVER),
    ("search-r1", "hosts", "search-r1", RETRIEVER),
    ("sglang-2x8", "hosts", "sglang-2x8", HOME),
]
"""Example, target, seed, and the values that the seed's own run has for names known only at run time."""


@pytest.mark.parametrize("seed", SEEDS)
def test_bash_passes_what_is_recorded(seed):
    recorded = RECORD["record"](HERE / f"{seed}.sh")
    assert recorded.argv == json.loads((HERE / f"{seed}.argv.json").read_text(encoding="utf-8"))
    launcher = HERE / f"{seed}.launcher.json"
    assert recorded.launcher == (json.loads(launcher.read_text(encoding="utf-8")) if launcher.exists() else [])


def test_every_seed_has_an_example():
    assert {seed for _, _, seed, _ in SAME_AS} == set(SEEDS)


@pytest.mark.parametrize(("example", "target", "seed", "values"), SAME_AS, ids=[f"{e}-{t}" for e, t, _, _ in SAME_AS])
def test_example_passes_the_same_arguments(example, target, seed, values):
    folder = GOLDEN / example

    def read(name):
        return (folder / name).read_text(encoding="utf-8")

    loaded = load(read("manifest.yaml"), "manifest.yaml", LoadOptions(targets=(target,), read=read))
    assert loaded.manifest is not None, [d.message for d in loaded.diagnostics]
    (wanted,) = [t for t in loaded.manifest.targets if t.name == target]
    assert [spelled(word, values) for word in wanted.driver.argv] == RECORD["expected"](seed)


def spelled(text: Text, values: dict[str, str]) -> str:
    """Put the seed's own values in place of what is known only at run time."""
    return "".join(values[part.name] if isinstance(part, Ref) else part for part in text.parts)
