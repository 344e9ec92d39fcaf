"""A setting of the command line that means nothing on a target: the hint is how to give it to another."""

from __future__ import annotations

import pytest

from mngen.manifest.load import LoadOptions, load
from mngen.targets import notes

TEXT = """\
apiVersion: mngen/v1
name: example
image: {ref: 'a/b:1'}
driver: {command: [p]}
targets: {c: {kind: KIND}}
"""


@pytest.mark.parametrize("kind", ["skypilot", "dstack", "manual"])
@pytest.mark.parametrize("setting", ["slurm.time=90", "on_time_limit.before=90"])
def test_the_hint_names_the_way_to_one_target(kind, setting):
    loaded = load(TEXT.replace("KIND", kind), "m.yaml", LoadOptions(sets=(setting,)))
    assert loaded.manifest is not None, loaded.diagnostics
    field = setting.partition(".")[0]
    (found,) = [one for one in notes(loaded.manifest) if one.code == "MN250" and one.message.startswith(field)]
    assert found.hint == f"a setting is for all targets: `--set targets.NAME.{field}…` is for one of them alone"


def test_of_a_field_of_the_manifest_nothing_changes():
    text = TEXT.replace("KIND", "skypilot") + "slurm: {time: 90}\n"
    loaded = load(text, "m.yaml")
    assert loaded.manifest is not None
    (found,) = [one for one in notes(loaded.manifest) if one.code == "MN250"]
    assert found.hint == "its own settings go to raw"
