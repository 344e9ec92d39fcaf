"""What an image copies, as it lies beside the manifest: absent, of another kind, or with links that lead out of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

COMMANDS = (["validate", "--no-lint"], ["render", "--no-lint"], ["build-image", "--dry-run"])


def wrote(image: dict, folder: str = "job") -> Path:
    """Write a manifest with these fields of an image."""
    described = {"repository": "r.example.org/a", "variants": {"cuda": {"tag": "1", "base": "ubuntu:24.04"}}, **image}
    document = {
        "apiVersion": "mngen/v1",
        "name": "job",
        "image": described,
        "driver": {"command": ["x"]},
        "targets": {"a": {"kind": "slurm", "runtime": "apptainer"}},
    }
    Path(folder).mkdir(exist_ok=True)
    path = Path(folder) / "m.yaml"
    path.write_text(json.dumps(document, indent=1))
    return path


def copied(source: str, **more: object) -> dict:
    return {"files": [{"source": source, "target": "/opt/x", **more}]}


FIELDS = {
    "files[0].source": copied("gone"),
    "files[0].source, a folder": copied("gone/"),
    "files[0].source, deep": copied("there/gone"),
    "stages[0].files[0].source": {"stages": [{"name": "s", "base": "debian:12", **copied("gone")}]},
    "pip.constraints[0]": {"pip": {"packages": ["a"], "constraints": ["gone"]}},
}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("field", FIELDS)
def test_a_source_that_is_not_there_is_warned_of_where_it_is_written(mngen, field, command) -> None:
    """It may be made before the build, so that nothing is refused."""
    manifest = wrote(FIELDS[field])
    Path("gone").touch()  # beside the manifest is what counts, not where the command runs
    result = mngen(*command, manifest)
    assert result.status == 0
    named = field.partition(",")[0]
    assert f"warning[MN820]: image.{named} is not there: job/" in result.err
    assert result.err.count("MN820") == 1
    shown = result.err.partition("MN820")[2].partition("= hint: ")[0].splitlines()
    assert "gone" in shown[3]
    assert "^" in shown[4]


def test_what_is_there_or_comes_from_a_stage_is_not_warned_of(mngen) -> None:
    stage = {"name": "s", "base": "debian:12", "steps": ["true"]}
    files = [
        {"source": name, "target": f"/opt/{n}"} for n, name in enumerate(("file", "folder", "folder/", "./folder/a"))
    ]
    files.append({"source": "/bin/x", "target": "/bin/x", "from": "s"})
    manifest = wrote({"stages": [stage], "files": files, "pip": {"packages": ["a"], "constraints": ["file"]}})
    Path("job/folder").mkdir()
    for name in ("file", "folder/a"):
        (Path("job") / name).touch()
    (Path("job") / "folder/near").symlink_to("a")
    result = mngen("validate", "--no-lint", "--strict", manifest)
    assert (result.status, "MN820" in result.err) == (0, False), result.err


@pytest.mark.parametrize(
    ("source", "more", "words"),
    [
        ("file/", {}, "image.files[0].source is no folder: job/file"),
        ("folder", {"mode": "0755"}, "image.files[0].mode is for a file, and job/folder is a folder"),
    ],
)
def test_what_is_of_another_kind_is_warned_of(mngen, source, more, words) -> None:
    manifest = wrote(copied(source, **more))
    Path("job/folder").mkdir()
    Path("job/file").touch()
    result = mngen("validate", "--no-lint", manifest)
    assert (result.status, f"warning[MN820]: {words}\n" in result.err) == (0, True), result.err


LINKS = {"outside": "../outside", "gone": "nowhere", "far": "/etc/hostname", "round": "round"}


@pytest.mark.parametrize("apptainer", [True, False])
@pytest.mark.parametrize("source", ["folder", "folder/", "link"])
@pytest.mark.parametrize("link", LINKS)
def test_links_that_only_apptainer_follows_are_warned_of(mngen, link, source, apptainer) -> None:
    """It puts into the image what they lead to, or fails; Docker keeps them as they are."""
    manifest = wrote({**copied(source), "apptainer": apptainer})
    Path("outside").touch()
    if source == "link":
        Path("job/link").symlink_to(LINKS[link].replace("round", "link"))
    else:
        Path("job/folder/sub").mkdir(parents=True)
        place = Path("job/folder/sub") / link
        place.symlink_to(LINKS[link].replace("../", "../../../"))
    result = mngen("validate", "--no-lint", manifest)
    assert result.status == 0
    assert result.err.count("MN820") == int(apptainer)
    if apptainer:
        named = "job/link" if source == "link" else f"job/folder/sub/{link}"
        nowhere = link in {"gone", "round"}
        out = f"leads out of job{'' if source == 'link' else '/folder'}; Apptainer copies what it leads to, Docker the link"
        what = "leads nowhere, at which Apptainer ends the build" if nowhere else out
        assert f"warning[MN820]: image.files[0].source: the link {named} {what}" in result.err


def test_many_links_are_one_warning(mngen) -> None:
    manifest = wrote(copied("folder"))
    Path("job/folder").mkdir()
    for number in range(100):
        Path(f"job/folder/{number}").symlink_to("/etc/hostname")
    result = mngen("validate", "--no-lint", manifest)
    assert result.err.count("MN820") == 1
