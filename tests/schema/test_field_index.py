"""Fields found by the paths that people write."""

from __future__ import annotations

import pytest

from mngen.manifest.field_index import fields, find, suggestions


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("slurm.time", "slurm.time"),
        ("targets.slurm.time", "slurm.time"),
        ("target.slurm.time", "slurm.time"),
        ("targets.amd.slurm.time", "slurm.time"),
        ("targets.amd.kind", "kind"),
        ("targets.kind", "kind"),
        ("targets", "targets"),
        ("mounts[0].source", "mounts[].source"),
        ("mounts.source", "mounts[].source"),
        ("mounts[].source", "mounts[].source"),
        ("services.retriever.port", "services.NAME.port"),
        ("services.NAME.ready.http", "services.NAME.ready.http"),
        ("env.HF_HOME", "env"),
        ("resources.memory.per_gpu", "resources.memory.per_gpu"),
        ("raw.resources.use_spot", "raw"),
        ("driver.args[3]", "driver.args"),
    ],
)
def test_find(path, found):
    field = find(path)
    assert field is not None
    assert field.path == found


@pytest.mark.parametrize("path", ["", "nothing", "slurm.tiem", "targets.amd.nothing", "targets.amd", "[0]"])
def test_not_found(path):
    assert find(path) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [("slurm.tiem", ("slurm.time",)), ("partition", ("slurm.partition",)), ("zzzz", ())],
)
def test_suggestions(path, expected):
    assert suggestions(path) == expected


def test_every_path_finds_itself():
    assert [path for path, field in fields().items() if find(path) is not field] == []


def test_children_are_fields():
    assert all(child in fields() for field in fields().values() for child in field.children)


def test_facts_of_a_field():
    time = fields()["slurm.time"]
    assert (time.type, time.kinds, time.top, time.in_target, time.name) == ("text", ("slurm",), True, True, "time")
    raw = fields()["raw"]
    assert (raw.kinds, raw.top, raw.in_target) == (("skypilot", "dstack"), False, True)
    assert fields()["name"].in_target is False
    assert fields()["kind"].required
    assert fields()["mounts[].source"].required
    assert not fields()["mounts[].mode"].required
    assert fields()["driver.submit"].choices[0] == ("direct", "as a process on the head")
    assert fields()["env"].type == "map of NAME to text"
    assert fields()["expose"].type == "list of whole numbers"
    assert fields()["resources.memory"].type == "text or whole number or map"
