"""The user of a described image, and the folder of a job, which whoever submits it alone can read."""

from __future__ import annotations

import pytest

from mngen.diagnostics import Severity
from mngen.manifest.load import LoadOptions, load

FRAME = """
apiVersion: mngen/v1
name: example
driver: {{command: [train]}}
resources: {{shm: 64G}}
image:
  repository: registry.example.org/rl/verl
  variants:
    cuda: {{tag: "1", base: "ubuntu:24.04"{own}}}
{common}
targets:
  job: {target}
"""
TRAINER = "  user: {name: trainer, uid: 1234}"


def said(target, common=TRAINER, own=""):
    """What is found, and the line it stands on."""
    text = FRAME.format(common=common, own=own, target=target)
    lines = text.split("\n")
    return [(found, lines[found.span.line - 1]) for found in load(text, "m.yaml", LoadOptions()).diagnostics]


@pytest.mark.parametrize("kind", ["slurm", "manual"])
@pytest.mark.parametrize("runtime", ["docker", "podman"])
@pytest.mark.parametrize(
    ("common", "own", "names"),
    [
        (TRAINER, "", "1234"),
        ("", ", user: {name: trainer}", "1000"),
        (TRAINER, ", user: {name: other, uid: 4321}", "4321"),
        ("  arbitrary_uid: true", "", "1001"),
        ("", ", arbitrary_uid: true", "1001"),
        (TRAINER + "\n  arbitrary_uid: true", "", "1234"),
    ],
)
def test_a_user_who_cannot_read_the_jobs_folder_is_warned_of(kind, runtime, common, own, names):
    ((found, line),) = said(f"{{kind: {kind}, runtime: {runtime}}}", common, own)
    assert (found.code, found.severity) == ("MN270", Severity.WARNING)
    assert names in found.message
    assert runtime in found.message
    assert "container: {user: host}" in found.hint
    assert line.strip() in {
        part.strip() for part in f'{common}\n    cuda: {{tag: "1", base: "ubuntu:24.04"{own}}}'.split("\n")
    }
    assert "user" in line or "arbitrary_uid" in line


@pytest.mark.parametrize(
    "target",
    [
        "{kind: slurm, runtime: docker, container: {user: host}}",
        "{kind: slurm, runtime: podman, container: {user: host}}",
        "{kind: slurm, runtime: docker, container: {user: image}}",
        "{kind: slurm, runtime: docker, container: {options: [--user, '0']}}",
        "{kind: slurm, runtime: docker, container: {options: ['-u=0']}}",
        "{kind: slurm, runtime: podman, container: {options: [--userns=keep-id]}}",
        "{kind: slurm, runtime: apptainer}",
        "{kind: slurm, runtime: pyxis}",
        "{kind: slurm, runtime: none}",
        "{kind: slurm, runtime: prefix, container: {prefix: [enter]}}",
        "{kind: skypilot}",
        "{kind: dstack}",
        "{kind: slurm, runtime: docker, image: {ref: 'a/b:1'}}",
    ],
)
def test_who_can_read_it_or_was_chosen_is_not(target):
    assert [found.code for found, _ in said(target) if found.severity is not Severity.NOTE] == []


def test_root_reads_it():
    assert said("{kind: slurm, runtime: docker}", common="") == []
