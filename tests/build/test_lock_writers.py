"""Several commands that write one ``mngen.lock``: each keeps what the others wrote, wherever the file really is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mngen.build import locking
from mngen.cli.app import run
from mngen.images.lock_file import read

MANIFEST = """\
apiVersion: mngen/v1
name: job
image:
  repository: {registry}/rl/verl
  variants: {{cuda: {{tag: "1", base: "{registry}/{base}:1", toolkit: "12.8"}}}}
driver: {{command: python3 train.py}}
targets: {{a: {{kind: slurm, runtime: docker}}}}
"""
OLD, NEW = f"sha256:{'0' * 64}", f"sha256:{'1' * 64}"


@pytest.fixture
def place(registry, tmp_path, monkeypatch) -> Path:
    """A folder with two manifests; their bases are in the registry."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path / "none"))
    for base in ("one", "two"):
        registry.put(base, "1", {"schemaVersion": 2, "base": base})
        (tmp_path / f"{base}.yaml").write_text(MANIFEST.format(registry=registry.address, base=base))
    return tmp_path


def tags(file: Path, registry) -> dict[str, str]:
    known = json.loads(file.read_text())["tags"]
    return {name.removeprefix(f"{registry.address}/"): tag["digest"] for name, tag in known.items()}


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize("how", [[], ["--update"]], ids=["new", "update"])
def test_what_another_wrote_during_a_look_up_stays(place, registry, monkeypatch, how) -> None:
    """Registries take their time: meanwhile an image is pushed, or the folder's other manifest is locked."""
    ask = locking.Lookup.tag

    def slow(self, reference):
        found = ask(self, reference)
        if reference.endswith("one:1"):
            assert run(["lock", "two.yaml"]) == 0
        return found

    monkeypatch.setattr(locking.Lookup, "tag", slow)
    assert run(["lock", "one.yaml", *how]) == 0
    assert set(tags(place / "mngen.lock", registry)) == {"one:1", "two:1"}


@pytest.mark.parametrize(("how", "kept"), [([], OLD), (["--update"], NEW)], ids=["new", "update"])
def test_of_two_that_look_up_the_same_the_first_holds_unless_it_is_an_update(
    place, registry, monkeypatch, how, kept
) -> None:
    def moves(self, _reference):
        tag = {"digest": OLD, "seen": "2026-09-01"}
        Path("mngen.lock").write_text(json.dumps({"format": 1, "tags": {f"{registry.address}/one:1": tag}}))
        return locking.Tag(digest=NEW, seen=self.today)

    monkeypatch.setattr(locking.Lookup, "tag", moves)
    assert run(["lock", "one.yaml", *how]) == 0
    assert tags(place / "mngen.lock", registry) == {"one:1": kept}


WRITER = """\
import sys
from pathlib import Path
from mngen.cli import locks
from mngen.images.lock_file import Made
for number in range(20):
    made = Made(digest=f"sha256:{number:064x}", description=f"sha256:{number:064x}", seen="2026-09-01")
    locks.change(Path(sys.argv[1]), lambda lock: lock.with_pushed(f"{sys.argv[2]}:{number}", made))
"""


def test_writers_beside_each_other_lose_nothing(tmp_path) -> None:
    """Half of them come by a link to the file."""
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/mngen.lock").symlink_to("../mngen.lock")
    folders = [tmp_path, tmp_path / "linked"] * 3
    words = [[sys.executable, "-c", WRITER, str(folder), f"w{n}"] for n, folder in enumerate(folders)]
    running = [subprocess.Popen(command) for command in words]
    assert [process.wait(120) for process in running] == [0] * len(words)
    lock = read((tmp_path / "mngen.lock").read_text(), "mngen.lock")
    assert set(lock.pushed) == {f"w{writer}:{number}" for writer in range(len(words)) for number in range(20)}
    assert names(tmp_path) == ["linked", "mngen.lock"]
    assert names(tmp_path / "linked") == ["mngen.lock"]


@pytest.mark.parametrize("leads", ["shared/mngen.lock", "shared/other.json", "link-to-a-link"])
@pytest.mark.parametrize("there", [True, False], ids=["there", "not yet"])
def test_a_link_stays_and_the_file_behind_it_is_written(place, registry, leads, there) -> None:
    (place / "shared").mkdir()
    (place / "mngen.lock").symlink_to(leads)
    (place / "link-to-a-link").symlink_to("shared/mngen.lock")
    if there:
        assert run(["lock", "one.yaml"]) == 0
    assert run(["lock", "two.yaml"]) == 0
    assert (place / "mngen.lock").readlink() == Path(leads)
    file = place / ("shared/other.json" if "other" in leads else "shared/mngen.lock")
    assert not file.is_symlink()
    assert set(tags(file, registry)) == ({"one:1", "two:1"} if there else {"two:1"})
    assert names(place / "shared") == [file.name]


def test_a_link_that_leads_nowhere_is_told(place, capsys) -> None:
    (place / "mngen.lock").symlink_to("no/such/folder")
    assert run(["lock", "one.yaml"]) == 3
    assert "error: cannot write `mngen.lock`: No such file or directory\n" in capsys.readouterr().err
