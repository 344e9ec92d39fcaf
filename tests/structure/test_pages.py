"""The commands and the manifest in README.md do what the page says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent))

from repository import EXAMPLES, GOLDEN, ROOT

from mngen.cli.app import run
from mngen.manifest.field_index import fields as known
from mngen.manifest.load import LoadOptions, load

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
MANIFEST = next(text for language, text in BLOCKS if language == "yaml")
LINTS = {"render", "diff", "validate"}
"""Commands that start linters, which other tests do."""


def spoken() -> list[list[str]]:
    """Every `mngen …` of the page, in the order of the text."""
    found = re.findall(r"^(mngen .*)$|`(mngen [^`]*)`", README, re.MULTILINE)
    return [shlex.split(line or inline, comments=True)[1:] for line, inline in found]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's manifest, its output, and files as people write them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "manifest.yaml").write_text(MANIFEST)
    assert run(["-q", "render", "manifest.yaml", "-o", "out", "--no-lint"]) == 0
    (tmp_path / "site.yaml").write_text("env: {SITE: here}\n")
    (tmp_path / "job.sbatch").write_text("#!/bin/bash\n#SBATCH --partion=gpu\nray start --head\n")
    (tmp_path / "Dockerfile").write_text("FROM ubuntu:24.04\n")
    (tmp_path / "task.yaml").write_text("num_nodes: 1\nrun: ray start --head\n")
    return tmp_path


OF_REGISTRIES = {"build-image", "lock", "inspect"}
"""Commands that need a registry or an engine, which ``make test-engines`` has."""


@pytest.mark.parametrize("words", [w for w in spoken() if w[0] not in OF_REGISTRIES], ids=" ".join)
def test_a_command_of_the_page_runs(folder: Path, words: list[str]) -> None:
    if words[0] == "init":
        (folder / "manifest.yaml").unlink()
    assert run([*words, *(["--no-lint"] if words[0] in LINTS else [])]) == 0
    if words[0] == "init":
        assert run(["-q", "render", "manifest.yaml", "-o", "new", "--no-lint"]) == 0
        assert (folder / "new/cluster/submit.sh").is_file(), "the page goes on with it"


def test_images_of_an_example_are_built_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (words,) = [words for words in spoken() if words[0] == "build-image"]
    example = tmp_path / "design"
    shutil.copytree(GOLDEN / "design", example)
    monkeypatch.chdir(example)
    assert run(words) == 0
    assert "build" in capfd.readouterr().out


def test_options_of_the_page_are_accepted(folder: Path) -> None:
    """`--overlay site.yaml` and `--set slurm.time=90` stand in a sentence."""
    assert "`--overlay site.yaml`" in README
    assert "`--set slurm.time=90`" in README
    options = ["--overlay", "site.yaml", "--set", "targets.hpc.slurm.time=90", "--no-lint"]
    assert run(["-q", "render", "manifest.yaml", "-o", "other", *options]) == 0
    job = (folder / "other/hpc/job.sbatch").read_text()
    assert "#SBATCH --time=90\n" in job
    assert "export SITE=here\n" in job


def test_the_manifest_of_the_page_is_read_by_editors() -> None:
    (schema,) = re.findall(r"\$schema=(\S+)", MANIFEST)
    assert (ROOT / schema).is_file()
    assert set(yaml.load(MANIFEST, Loader=yaml.CSafeLoader)["targets"]) == {"hpc", "cloud", "bare"}


def test_the_page_counts_the_examples() -> None:
    words = ("Eight", "Nine", "Ten", "Eleven", "Twelve", "Thirteen")
    (count,) = re.findall(r"^(\w+) complete examples", README, re.MULTILINE)
    assert words.index(count) + 8 == len(EXAMPLES)


def test_make_targets_of_the_pages_exist() -> None:
    named = {
        target
        for page in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")
        for target in re.findall(
            r"(?:`|^|`[\w ]+ )make ((?:[a-z]+ )*[a-z]+)(?:`| +#)", (ROOT / page).read_text(), re.MULTILINE
        )
    }
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named
    assert {word for line in named for word in line.split()} - known == set()


def test_the_demo_runs(tmp_path: Path) -> None:
    place = tmp_path / "build/demo"
    place.mkdir(parents=True)
    (tmp_path / "golden").symlink_to(GOLDEN)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/mngen"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m mngen "$@" --no-lint\n')
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"
    command = ["bash", str(ROOT / "docs/demo.sh")]
    done = subprocess.run(
        command, cwd=place, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "+readonly NODES=4" in done.stdout


def test_the_block_of_the_page_on_long_runs_has_no_findings() -> None:
    page = (ROOT / "docs/long-runs.md").read_text()
    (block,) = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    around = "apiVersion: mngen/v1\nname: long\ndriver: {command: [x]}\ntargets: {hpc: {kind: slurm}}\n"
    loaded = load(around + block, "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None
    assert loaded.diagnostics == ()
    fields = {
        field for line in page.splitlines() if line[:2] == "| " for field in re.findall(r"`([a-z_.]+)(?:: \w+)?`", line)
    }
    assert {"on_time_limit.then", "slurm.requeue", "retry", "retry.exit_codes"} <= fields
    assert all(field in known() for field in fields - {"signal"})
