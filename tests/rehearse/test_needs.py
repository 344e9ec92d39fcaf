"""What a manifest says is on its nodes is there in a rehearsal: folders and files, wherever and however they are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import characters, text
from launch_files import made, one, rendered, wrong

from mngen.launch.words import quote
from mngen.rehearse.settings import WORD, unquoted

MANIFEST = """\
apiVersion: mngen/v1
name: needs
resources: {{nodes: 2, gpus: 1, gpu_type: H100, shm: 1G}}
{more}
driver: {{command: [train], submit: ray-job, runtime_env: {runtime_env}}}
targets: {{job: {target}}}
"""
SLURM = "kind: slurm, slurm: {partition: p, time: '1:00:00'}"
IMAGE = "image: {ref: a/b:1}"
TARGETS = {
    "slurm": f"{{{SLURM}}}",
    "apptainer": f"{{{SLURM}, runtime: apptainer, {IMAGE}}}",
    "pyxis": f"{{{SLURM}, runtime: pyxis, {IMAGE}}}",
    "prefix": f"{{{SLURM}, runtime: prefix, container: {{prefix: [shifter, --image=a]}}}}",
    "manual": "{kind: manual}",
    "docker": f"{{kind: manual, runtime: docker, {IMAGE}}}",
    "skypilot": f"{{kind: skypilot, {IMAGE}}}",
    "dstack": f"{{kind: dstack, {IMAGE}}}",
}
AWKWARD = """\
workdir: "/shared/the code"
env_files: ["/etc/my site/a.env"]
secrets: {TOKEN: {file: "/run/my keys/it's"}}"""


def comes_to_a_good_end(folder: Path, more: str, runtime_env: str, target: str, *, plain: bool = False) -> None:
    text = MANIFEST.format(more=more, runtime_env=runtime_env, target=TARGETS[target])
    found, outcome = wrong(made(rendered(folder, text), plain=plain), one("plain"))
    assert found == [], outcome.log
    assert "Traceback" not in outcome.log


@pytest.mark.parametrize(("target", "plain"), [*((name, False) for name in TARGETS), ("slurm", True), ("docker", True)])
def test_files_are_there_whatever_they_are_called(target: str, plain: bool, tmp_path: Path) -> None:
    comes_to_a_good_end(tmp_path, AWKWARD, '{file: "my conf/ray env.yaml"}', target, plain=plain)


@given(text(characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1))
def test_a_word_is_read_as_it_was_written(value: str) -> None:
    word = quote(value)
    assert re.fullmatch(WORD, word)
    assert unquoted(word) == value


WAYS = {
    "no workdir": ("", "{file: conf/env.yaml}"),
    "from the workdir": ("workdir: /shared/code", "{file: ./env.yaml}"),
    "from one in the home folder": ('workdir: "${{ env.HOME }}/code"', "{file: ../env.yaml}"),
    "absolute": ("workdir: /shared/code", "{file: /etc/mine/env.yaml}"),
    "a folder": ("workdir: /shared/code", "{working_dir: src}"),
    "an absolute folder": ("", "{working_dir: /shared/proj, env_vars: {A: it's}}"),
    "an address": ("", '{working_dir: "s3://bucket/code.zip"}'),
}
"""The rest of the manifest, and its runtime environment."""


@pytest.mark.parametrize("target", ["slurm", "docker"])
@pytest.mark.parametrize("way", WAYS)
def test_a_runtime_environment_is_found_where_the_driver_starts(way: str, target: str, tmp_path: Path) -> None:
    comes_to_a_good_end(tmp_path, *WAYS[way], target)


@pytest.mark.parametrize(("to", "workdir"), [("/code", "/code"), ("/code", "/code/sub"), ("/the code", "/the code")])
def test_code_that_is_linked_is_where_its_link_leads(to: str, workdir: str, tmp_path: Path) -> None:
    more = f"workdir: {workdir}\ncode: {{path: ., to: {to}}}"
    comes_to_a_good_end(tmp_path, more, "{file: conf/env.yaml}", "skypilot")


@pytest.mark.parametrize("place", ["/srv", "/var/opt", "/srv/code"])
def test_a_link_is_made_even_where_this_machine_has_a_folder(place: str, tmp_path: Path) -> None:
    """Every Linux has the first two (hier(7))."""
    before = Path(place).is_dir(), Path(place).is_symlink()
    comes_to_a_good_end(tmp_path, f"workdir: {place}\ncode: {{path: ., to: {place}}}", "{}", "skypilot")
    assert (Path(place).is_dir(), Path(place).is_symlink()) == before


@pytest.mark.parametrize(("target", "plain"), [*((name, False) for name in TARGETS), ("slurm", True), ("docker", True)])
def test_the_folder_of_ray_is_each_nodes_own_wherever_it_is(target: str, plain: bool, tmp_path: Path) -> None:
    mounts = "\nmounts: [{source: /scratch/ray, target: /data}]" if target in ("apptainer", "pyxis", "docker") else ""
    comes_to_a_good_end(tmp_path, f"ray: {{temp_dir: /scratch/ray}}{mounts}", "{env_vars: {A: b}}", target, plain=plain)
