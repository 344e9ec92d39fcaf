"""The lock file, and what it does to a manifest."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from mngen import render, targets
from mngen.errors import FindingsError
from mngen.images import contract, lock_file, pinning
from mngen.images.lock_file import Commit, Lock, Made, Tag
from mngen.manifest.load import load

BASE, READY, URL = "nvidia/cuda:12.8.1-devel-ubuntu24.04", "rayproject/ray:2.52.1", "https://example.org/verl"
MANIFEST = f"""\
apiVersion: mngen/v1
name: job
resources: {{shm: 1G}}
image:
  repository: registry.example.org/rl/verl
  variants: {{cuda: {{tag: "1", base: "{BASE}"}}}}
  stages: [{{name: tools, base: "debian:12", steps: [date]}}]
  git: [{{url: "{URL}", ref: main, path: /opt/verl}}, {{url: "{URL}", ref: {"a" * 40}, path: /opt/other}}]
driver: {{command: python3 train.py}}
targets:
  docker: {{kind: slurm, runtime: docker}}
  pyxis: {{kind: slurm, runtime: pyxis}}
  sif: {{kind: slurm, runtime: apptainer}}
  sky: {{kind: skypilot}}
  fleet: {{kind: dstack}}
  ready: {{kind: slurm, runtime: podman, image: {{ref: "{READY}"}}}}
  done: {{kind: slurm, runtime: podman, image: {{ref: "{READY}@sha256:{"d" * 64}"}}}}
"""


def digest(letter: str) -> str:
    return "sha256:" + letter * 64


def manifest():
    found = load(MANIFEST, "m.yaml").manifest
    assert found is not None
    return found


def only(loaded):
    (image,) = loaded.images.values()
    return image


def full_lock() -> Lock:
    image = only(manifest())
    made = Made(digest=digest("e"), description=contract.digest(image), seen="2026-09-01")
    return Lock(
        tags={
            BASE: Tag(digest=digest("b"), platforms={"linux/amd64": digest("c")}, seen="2026-09-01"),
            "debian:12": Tag(digest=digest("1"), seen="2026-09-01"),
            READY: Tag(digest=digest("f"), seen="2026-09-01"),
        },
        git={(URL, "main"): Commit(commit="c" * 40, seen="2026-09-01")},
        pushed={image.reference: made},
        sif={"out/a.sif": made},
    )


def files(lock: Lock) -> dict[str, str]:
    tree = render.render(targets.plan(pinning.pinned(manifest(), lock)), digest="")
    return {file.path: file.text for file in tree.files}


def test_the_text_says_what_was_put_in() -> None:
    text = lock_file.text(full_lock())
    assert lock_file.read(text, "mngen.lock") == full_lock()
    assert lock_file.text(lock_file.read(text, "mngen.lock")) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": 2}',
        '{"format": 1, "tags": []}'.replace("[]", '["a"]'),
        '{"format": 1, "tags": {"a:1": {"digest": "sha256:1", "seen": "x"}}}',
        '{"format": 1, "git": {"u": {"main": {"commit": "$(date)", "seen": "x"}}}}',
        '{"format": 1, "git": {"u": "main"}}',
        '{"format": 1, "pushed": {"a:1": {"digest": "' + digest("a") + '"}}}',
        '{"format": 1, "sif": {"a": null}}',
        "\ud800",
        "[" * 100_000,
        '{"format": ' + "1" * 5000 + "}",
    ],
    ids=lambda text: text[:60],
)
def test_what_is_no_lock_file_is_a_finding(text) -> None:
    with pytest.raises(FindingsError) as caught:
        lock_file.read(text, "mngen.lock")
    assert [found.code for found in caught.value.diagnostics] == ["MN606"]


ENTRY = {"digest": digest("a"), "seen": "2026-09-01"}
MADE = {**ENTRY, "description": digest("b")}
COMMITTED = {"commit": "c" * 40, "seen": "2026-09-01"}
WHOLE = {"format": 1, "tags": {"a/b:1": ENTRY}, "git": {"u": {"main": COMMITTED}}, "pushed": {"r/i:1": MADE}, "sif": {}}
NO_VALUES = (None, 1, [], {}, "x", True)


def broken_locks():
    """Yield lock files with one part left out or replaced, each with the words that must name it."""
    for part, name, entry in (("tags", "a/b:1", ENTRY), ("pushed", "r/i:1", MADE), ("sif", "o/a.sif", MADE)):
        yield from (({part: value}, [part]) for value in (1, [], "x", True))
        yield from (({part: {name: value}}, [part, name, "digest"]) for value in NO_VALUES)
        for key in entry:
            left = {**entry}
            del left[key]
            yield {part: {name: left}}, [part, name, f"no `{key}`"]
            yield from (
                ({part: {name: {**entry, key: value}}}, [part, name, f"`{key}`"]) for value in (None, 1, [], {})
            )
    yield from (({"git": {"u": value}}, ["git", "u"]) for value in (None, 1, [], "x"))
    yield from (({"git": {"u": {"main": value}}}, ["git", "u", "main", "commit"]) for value in NO_VALUES)
    yield {"git": {"u": {"main": {"commit": "c" * 40}}}}, ["git", "u", "main", "no `seen`"]
    yield {"git": {"u": {"main": {**COMMITTED, "commit": "main"}}}}, ["git", "u", "main", "no commit id"]
    yield {"tags": {"a/b:1": {**ENTRY, "platforms": []}}}, ["tags", "a/b:1", "platforms"]
    yield {"tags": {"a/b:1": {**ENTRY, "platforms": {"linux/amd64": None}}}}, ["tags", "a/b:1", "linux/amd64"]


@pytest.mark.parametrize(("change", "words"), [pytest.param(*one, id=str(one[0])[:60]) for one in broken_locks()])
def test_a_broken_entry_is_named_in_our_own_words(change, words) -> None:
    text = json.dumps({**WHOLE, **change}, indent=2)
    with pytest.raises(FindingsError) as caught:
        lock_file.read(text, "mngen.lock")
    (found,) = caught.value.diagnostics
    assert found.code == "MN606"
    assert all(word in found.message for word in words), found.message
    assert not any(word in found.message for word in ("NoneType", "object", "attribute", "indices", ": '"))
    assert found.span is not None
    assert found.span.line is not None
    assert json.dumps(words[-2] if len(words) > 3 else words[:2][-1]) in text.splitlines()[found.span.line - 1]


def test_what_can_be_pinned_is_named_once() -> None:
    names = [(one.name, one.url) for one in pinning.open_ends(manifest())]
    assert names == [(BASE, ""), ("debian:12", ""), ("main", URL), (READY, "")]


def test_a_full_lock_pins_everything_and_leaves_nothing_to_note() -> None:
    found = files(full_lock())
    assert pinning.notes(manifest(), full_lock()) == ()
    dockerfile, definition = found["images/cuda/Dockerfile"], found["images/cuda/job.def"]
    assert f"FROM {BASE}@{digest('b')}\n" in dockerfile
    assert f"FROM debian:12@{digest('1')} AS tools\n" in dockerfile
    assert f'base.digest="{digest("b")}"' in dockerfile
    assert f"From: nvidia/cuda@{digest('b')}\n" in definition
    for text in (dockerfile, definition):
        assert f"--depth 1 {URL} {'c' * 40}" in text
        assert f"--depth 1 {URL} {'a' * 40}" in text
        assert f"{URL} main" not in text
    image = "registry.example.org/rl/verl"
    assert f'{image}@{digest("e")} "${{JOB_DIR}}/job.sh"' in found["docker/job.sbatch"]
    assert f"docker://{image}@{digest('e')} bash" in found["sif/job.sbatch"]
    assert f"--container-image='registry.example.org#rl/verl:{digest('e')}'" in found["pyxis/job.sbatch"]
    assert f"image: {image}@{digest('e')}\n" in found["fleet/task.dstack.yml"]
    assert f"docker:{image}@{digest('e')}\n" in found["sky/task.sky.yaml"]
    assert f'rayproject/ray@{digest("f")} "${{JOB_DIR}}/job.sh"' in found["ready/job.sbatch"]
    assert f'{READY}@{digest("d")} "${{JOB_DIR}}/job.sh"' in found["done/job.sbatch"]


def test_pins_are_no_part_of_the_description() -> None:
    image = only(manifest())
    pinned = only(pinning.pinned(manifest(), full_lock()))
    assert pinned.pins.pushed
    assert contract.digest(pinned) == contract.digest(image)


def test_a_push_of_another_description_pins_nothing() -> None:
    made = Made(digest=digest("e"), description=digest("0"), seen="2026-09-01")
    lock = replace(full_lock(), pushed={"registry.example.org/rl/verl:1": made})
    assert 'registry.example.org/rl/verl:1 "${JOB_DIR}/job.sh"' in files(lock)["docker/job.sbatch"]
    (note,) = pinning.notes(manifest(), lock)
    assert "registry.example.org/rl/verl:1 (not pushed as described)" in note.message
    assert "`mngen build-image --push`" in (note.hint or "")
    assert "`mngen lock`" not in (note.hint or "")


def test_without_a_lock_one_note_says_what_is_open() -> None:
    (note,) = pinning.notes(manifest(), Lock())
    assert (note.code, note.severity.value) == ("MN607", "note")
    assert note.message == f"not pinned to a digest or commit: {BASE}, debian:12, main of {URL} and 2 more"
    assert note.span is not None
    assert json.loads(lock_file.text(Lock()))["tags"] == {}
