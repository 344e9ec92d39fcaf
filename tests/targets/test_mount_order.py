"""A folder is mounted before what is mounted in it, which it would hide."""

from __future__ import annotations

import pytest

from mngen import render, targets
from mngen.manifest.load import LoadOptions, load

MANIFEST = """
apiVersion: mngen/v1
name: a
resources: {{nodes: 2, gpus: 4, shm: 8G}}
image: {{ref: "a/b:1"}}
workdir: /w
code: {{path: ., to: {code}}}
mounts: [{mounts}]
driver: {{command: [train]}}
targets: {{job: {{kind: slurm, runtime: {runtime}, slurm: {{time: "1:00:00"}}}}}}
"""


def places(text: str, wanted: list[str]) -> list[str]:
    """Mounted places in the order in which the job's container gets them."""
    loaded = load(text, "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    (job,) = [
        file.text
        for file in render.render(targets.plan(loaded.manifest, partial=True), digest="").files
        if file.path == "job/job.sbatch"
    ]
    at = {place: max(job.rfind(f":{place}{end}") for end in (" ", ",", '"', ":")) for place in wanted}
    assert -1 not in at.values(), at
    return sorted(wanted, key=lambda place: at[place])


@pytest.mark.parametrize("runtime", ["apptainer", "pyxis"])
@pytest.mark.parametrize(
    ("code", "mounted", "order"),
    [
        ("/w", ["/w/data"], ["/w", "/w/data"]),
        ("/w/code", ["/w"], ["/w", "/w/code"]),
        ("/code", ["/d/x/y", "/e", "/d", "/d/x"], ["/d", "/d/x", "/d/x/y", "/e", "/code"]),
        ("/code", ["/ww", "/w"], ["/ww", "/w", "/code"]),
    ],
)
def test_outer_folders_come_first(runtime: str, code: str, mounted: list[str], order: list[str]) -> None:
    mounts = ", ".join(f"{{source: /s{number}, target: {place}}}" for number, place in enumerate(mounted))
    text = MANIFEST.format(code=code, mounts=mounts, runtime=runtime)
    assert places(text, [*mounted, code]) == order


@pytest.mark.parametrize(
    ("runtime", "workdir", "said"), [("docker", "", True), ("docker", "workdir: /w\n", False), ("apptainer", "", False)]
)
def test_code_without_a_workdir_is_not_where_a_container_starts(runtime: str, workdir: str, said: bool) -> None:
    text = MANIFEST.format(code="/w", mounts="", runtime=runtime).replace("workdir: /w\n", workdir)
    loaded = load(text, "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    found = [item.message for item in targets.notes(loaded.manifest) if "code.to" in item.message]
    assert (found == ["code.to on target job: the driver does not start there, but in the image's own folder"]) == said
