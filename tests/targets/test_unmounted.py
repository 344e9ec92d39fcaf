"""Without a container that mngen starts nothing is mounted: what the job would miss there is said."""

import pytest

from mngen import targets
from mngen.diagnostics import Severity
from mngen.manifest.load import LoadOptions, load

HEAD = "apiVersion: mngen/v1\nname: x\ndriver: {command: [train]}\n"
UNMOUNTED = ("runtime: none", "runtime: prefix, container: {prefix: [enter]}")
CODE = "code: {path: ., to: /work/verl}"
MOUNTS = "mounts: [{source: '${{ env.SCRATCH }}/data', target: /data}, {source: /hf, target: /hf/}]"


def noted(fields: str, target: str) -> dict[str, str]:
    """Fields without effect on one target, with their hints."""
    loaded = load(
        f"{HEAD}{fields}\ntargets: {{job: {target}}}\n", "manifest.yaml", LoadOptions(kind=targets.definition)
    )
    assert loaded.manifest is not None, loaded.diagnostics
    found = [note for note in targets.notes(loaded.manifest) if note.code == "MN250"]
    return {note.message.partition(" has no effect")[0]: note.hint or "" for note in found}


@pytest.mark.parametrize("kind", ["slurm", "manual"])
@pytest.mark.parametrize("runtime", UNMOUNTED)
def test_what_nothing_mounts_is_said(kind: str, runtime: str) -> None:
    where = f"{{kind: {kind}, {runtime}}}"
    assert list(noted(f"{CODE}\n{MOUNTS}", where)) == ["code.path", "mounts[0]"]
    assert noted("code: {path: /work/verl/, to: /work/verl}\nmounts: [{source: /d, target: /d}]", where) == {}
    for code in ("{path: .}", "{git: 'https://example.org/a', ref: v1}"):
        (hint,) = noted(f"code: {code}", where).values()
        assert "workdir" in hint


@pytest.mark.parametrize("runtime", ["apptainer", "docker", "podman", "pyxis"])
def test_containers_mount(runtime: str) -> None:
    fields = "image: {ref: a/b:1}\nresources: {shm: 1G}\n"
    where = f"{{kind: slurm, runtime: {runtime}}}"
    assert noted(f"{fields}{CODE}\n{MOUNTS}", where) == {}
    # The job's shell enters `workdir` before it prepares anything, so that a clone made there comes too late.
    assert "prepare" not in noted(f"{fields}code: {{git: 'https://example.org/a', ref: v1}}", where)["code"]


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ("workdir: /work/x/sub", Severity.WARNING),
        ("workdir: /work/x", Severity.WARNING),
        ("workdir: /work/xy", Severity.NOTE),
        ("workdir: /work/x\nmounts: [{source: /code, target: /work}]", Severity.NOTE),
    ],
)
def test_a_job_that_starts_in_code_which_nothing_brings_is_warned_of(fields: str, severity: Severity) -> None:
    code = "code: {git: 'https://example.org/a', ref: v1, to: /work/x}\nresources: {shm: 1G}\nimage: {ref: a/b:1}"
    text = f"{HEAD}{code}\n{fields}\ntargets: {{job: {{kind: slurm, runtime: docker}}}}\n"
    loaded = load(text, "manifest.yaml", LoadOptions(kind=targets.definition))
    assert loaded.manifest is not None, loaded.diagnostics
    (found,) = (note for note in targets.notes(loaded.manifest) if note.code == "MN250")
    assert found.severity is severity
