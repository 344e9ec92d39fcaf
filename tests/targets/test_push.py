"""The README says of images that are built here that they have to be in the registry, where nodes pull them."""

from __future__ import annotations

import pytest

from mngen.manifest.load import load
from mngen.render import render
from mngen.targets import plan

HEAD = """\
apiVersion: mngen/v1
name: example
image:
  repository: registry.example.org/rl/verl
  variants:
    cuda: {tag: c1, base: 'nvidia/cuda:12.8.1-devel-ubuntu24.04'}
    rocm: {tag: r1, base: 'rocm/dev-ubuntu-22.04:6.4'}
driver: {command: [python3, train.py]}
targets:
"""
CUDA, ROCM = "registry.example.org/rl/verl:c1", "registry.example.org/rl/verl:r1"


def readme(targets, *, image=True):
    text = HEAD if image else HEAD[: HEAD.index("image:")] + HEAD[HEAD.index("driver:") :]
    loaded = load(text + targets, "m.yaml")
    assert loaded.manifest is not None, loaded.diagnostics
    return next(file.text for file in render(plan(loaded.manifest), digest="").files if file.path == "README.md")


@pytest.mark.parametrize(
    "target",
    [
        "{kind: slurm, runtime: docker}",
        "{kind: slurm, runtime: podman}",
        "{kind: slurm, runtime: pyxis}",
        "{kind: slurm, runtime: apptainer}",
        "{kind: skypilot}",
        "{kind: dstack}",
        "{kind: manual, runtime: docker}",
    ],
)
def test_what_nodes_pull_is_pushed(target):
    text = readme(f"  a: {target}\n")
    assert "`mngen build-image m.yaml --push` builds and pushes in one" in text
    assert f"\ndocker push {CUDA}\n" in text
    assert f"docker push {ROCM}" not in text
    assert text.index("docker buildx build") < text.index("docker push")


def test_each_image_once():
    text = readme(
        "  a: {kind: slurm, runtime: docker}\n  b: {kind: dstack}\n  c: {kind: slurm, variant: rocm, runtime: docker}\n"
    )
    assert text.count(f"docker push {CUDA}\n") == text.count(f"docker push {ROCM}\n") == 1
    assert "Nodes pull these images from the registry" in text


def test_nothing_is_pushed_that_no_node_pulls():
    for text in (
        readme("  a: {kind: slurm, runtime: none}\n"),
        readme("  a: {kind: slurm, runtime: apptainer, image: {sif: /x.sif}}\n"),
        readme("  a: {kind: slurm, runtime: docker, image: {ref: 'a/b:1'}}\n", image=False),
    ):
        assert "--push" not in text
        assert "docker push" not in text


def test_a_file_that_targets_start_from_is_made_and_put_there():
    sif = "image: {sif: '/shared/${{ env.USER }}/a b.sif'}"
    a_target = f"{{kind: slurm, runtime: apptainer, {sif}}}"
    text = readme(f"  a: {a_target}\n  b: {a_target}\n  c: {{kind: slurm, runtime: apptainer}}\n")
    assert "`a`, `b` start from a file of this image" in text
    command = "mngen build-image m.yaml --cuda --builder apptainer\ncp out/images/cuda/example.sif "
    assert text.count(f'```sh\n{command}"/shared/${{USER}}/a b.sif"\n```') == 1
    assert (
        "start"
        not in readme("  a: {kind: slurm, runtime: apptainer}\n").partition("## a")[0].partition("docker push")[2]
    )
