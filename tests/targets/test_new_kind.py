"""A new kind of target is one module, one folder of templates, one definition in the schema, one line in the registry.

First a toy kind in a copy of the package, then one of another package, which mngen finds by its entry point.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from toy_kind import DEFINITION, MANIFEST, TEMPLATE, TOY, other

from mngen import targets
from mngen.cli.app import run
from mngen.manifest.definitions import KINDS, definition

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("toyland", "toyshop")
"""Packages that bring the toy."""


@dataclass(frozen=True)
class Result:
    """What a command line did."""

    status: int
    out: str
    err: str


def process(place: Path, path: Path, *arguments: str) -> Result:
    """Run the program, with a folder in front of the installed packages."""
    command = [sys.executable, "-m", "mngen", *arguments]
    env = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, timeout=60, check=False)
    return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def mngen(place: Path, packages: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """The same in this process, with the packages of the test; linters see rendered files elsewhere."""
    monkeypatch.chdir(place)
    monkeypatch.syspath_prepend(packages)

    def call(*arguments: str) -> Result:
        for name in NAMES:
            sys.modules.pop(name, None)
        capfd.readouterr()
        status = run([*arguments, *(["--no-lint"] if arguments[0] in {"render", "validate"} else [])])
        shown = capfd.readouterr()
        return Result(status, shown.out, shown.err)

    return call


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    return tmp_path / "packages"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "place"
    folder.mkdir()
    (folder / "manifest.yaml").write_text(MANIFEST)
    return folder


def copy_with_toy(folder: Path) -> None:
    """The package as it is installed, with the toy in it."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "generator/mngen", folder / "mngen", ignore=skip)
    shutil.copytree(ROOT / "templates", folder / "mngen/templates", ignore=skip)
    shutil.copytree(ROOT / "schemas", folder / "mngen/schemas", ignore=skip)
    # One module, with its folder of templates.
    (folder / "mngen/targets/toy.py").write_text(TOY + 'TEMPLATE = "toy/run.sh.j2"\n')
    (folder / "mngen/templates/toy").mkdir()
    (folder / "mngen/templates/toy/run.sh.j2").write_text(TEMPLATE)
    # One definition in the schema, and the two places that name it.
    file = folder / "mngen/schemas/manifest.v1.schema.json"
    schema = json.loads(file.read_text())
    definitions = schema["definitions"]
    definitions["target-toy"] = DEFINITION
    definitions["kind"]["enum"].append("toy")
    definitions["kind"]["enumDescriptions"].append("a toy")
    is_toy = {"properties": {"kind": {"const": "toy"}}, "required": ["kind"]}
    definitions["target-by-kind"]["then"]["allOf"].append({"if": is_toy, "then": {"$ref": "#/definitions/target-toy"}})
    file.write_text(json.dumps(schema))
    # One line in the registry.
    registry = folder / "mngen/targets/registry.py"
    line = '    "slurm": "mngen.targets.slurm",\n'
    assert line in registry.read_text()
    registry.write_text(registry.read_text().replace(line, f'{line}    "toy": "mngen.targets.toy",\n'))


def package(folder: Path, module: str, *, name: str = NAMES[0], kind: str = "toy") -> None:
    """Another package as pip leaves it: a module, and the record of its entry point."""
    record = folder / f"{name}-1.2.dist-info"
    record.mkdir(parents=True)
    (folder / f"{name}.py").write_text(module)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (record / "entry_points.txt").write_text(f"[mngen.targets]\n{kind} = {name}\n")


def played(place: Path) -> str:
    script = place / "out/first/run.sh"
    done = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=True)
    assert script.stat().st_mode & 0o111
    return done.stdout


def test_a_toy_kind_in_the_package(tmp_path: Path, place: Path) -> None:
    copy = tmp_path / "copy"
    copy_with_toy(copy)
    done = process(place, copy, "render", "manifest.yaml")
    assert done.status == 0, done.err
    assert played(place) == "games\nit's played\n"
    assert "bash first/run.sh" in (place / "out/README.md").read_text()
    assert (place / "out/second/job.sbatch").is_file()
    assert "toy       mngen" in process(place, copy, "targets").out
    assert "a toy" in process(place, copy, "explain", "targets.first.kind").out
    (place / "manifest.yaml").write_text(MANIFEST.replace("raw: {queue: games}", "workdir: /x"))
    done = process(place, copy, "validate", "manifest.yaml")
    assert done.status == 1
    assert "--> manifest.yaml:6:" in done.err
    assert "`workdir`" in done.err


def test_a_kind_of_another_package(place: Path, packages: Path) -> None:
    package(packages, other())
    done = process(place, packages, "render", "manifest.yaml")
    assert done.status == 0, done.err
    assert played(place) == "queue games\nit's played\n"
    assert "bash first/run.sh" in (place / "out/README.md").read_text()
    listed = process(place, packages, "targets").out
    assert "toy       toyland 1.2\n" in listed
    assert [line.split()[0] for line in listed.splitlines()] == [*KINDS, "toy"]


def test_a_kind_of_another_package_takes_layers(mngen, place: Path, packages: Path) -> None:
    package(packages, other())
    (place / "overlay.yaml").write_text("targets: {third: {kind: toy, services: {x: {command: [y]}}}}\n")
    options = ["--overlay", "overlay.yaml", "--set", "targets.first.raw.queue=toys"]
    done = mngen("render", "manifest.yaml", *options)
    assert done.status == 0, done.err
    assert "note[MN250]: services have no effect" in done.err
    assert played(place) == "queue toys\nit's played\n"
    assert (place / "out/third/run.sh").is_file()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("{kind: toy, slurm: {time: 90}}", "`slurm`"),
        ("{kind: toy, raw: {quue: games}}", "`quue`"),
        ("{kind: toy, raw: {queue: chess}}", "`chess`"),
        ("{kind: toi}", "`toi`"),
    ],
)
def test_its_own_definition_judges(mngen, place: Path, packages: Path, target: str, said: str) -> None:
    package(packages, other())
    (place / "manifest.yaml").write_text(MANIFEST.replace("{kind: toy, raw: {queue: games}}", target))
    done = mngen("validate", "manifest.yaml")
    assert done.status == 1, done.err
    assert "--> manifest.yaml:6:" in done.err
    assert said in done.err


def test_without_a_definition_it_takes_every_field(mngen, place: Path, packages: Path) -> None:
    package(packages, other(own="not_a_schema = "))
    text = MANIFEST.replace("raw: {queue: games}", "workdir: /x, raw: {queue: x, other: 1}")
    (place / "manifest.yaml").write_text(text)
    done = mngen("validate", "manifest.yaml")
    assert done.status == 0, done.err


BROKEN = {
    "does not load": (other(imports="from mngen.nowhere"), "cannot be loaded: ModuleNotFoundError"),
    "of another interface": (other(api="api = 2"), "is for version 2 of the interface, this is 1"),
    "of no interface": (other(api="\n"), "is for version None of the interface, this is 1"),
    "lacks a function": (other(usage="def use"), "has no usage"),
    "refers to nothing": (other(reference="#/definitions/wheel"), "is broken: KeyError: 'wheel'"),
    "has no schema": (other(type="'type': 'word'"), "is broken: SchemaError"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_named(mngen, place: Path, packages: Path, case: str) -> None:
    module, said = BROKEN[case]
    package(packages, module)
    done = mngen("validate", "manifest.yaml")
    assert done.status == 3, done.err
    assert "kind 'toy' of package toyland" in done.err
    assert said in done.err
    assert "toyland" in done.err.splitlines()[-1], "the hint"
    assert "Traceback" not in done.err
    assert mngen("targets").status == 0, "listed without being loaded"
    (place / "manifest.yaml").write_text(MANIFEST.replace("kind: toy, raw: {queue: games}", "kind: manual"))
    assert mngen("validate", "manifest.yaml").status == 0, "nobody asks for it"


def test_two_packages_for_one_kind_are_named(mngen, packages: Path) -> None:
    package(packages, other())
    package(packages, other(), name=NAMES[1])
    done = mngen("validate", "manifest.yaml")
    assert done.status == 3
    assert "several packages bring the target kind 'toy': toyland, toyshop" in done.err


def test_no_package_replaces_a_kind_of_mngen(mngen, place: Path, packages: Path) -> None:
    package(packages, "raise SystemExit\n", kind="slurm")
    (place / "manifest.yaml").write_text(MANIFEST.replace("kind: toy, raw: {queue: games}", "kind: slurm"))
    assert mngen("validate", "manifest.yaml").status == 0
    assert "toyland" not in mngen("targets").out


def test_without_the_package_the_kind_is_unknown(mngen) -> None:
    done = mngen("validate", "manifest.yaml")
    assert done.status == 1
    assert "`toy`" in done.err
    assert "slurm" in done.err


@pytest.mark.parametrize("kind", KINDS)
def test_the_parts_of_each_kind_are_there(kind: str) -> None:
    module = targets.module(kind)
    assert (module.kind, module.api) == (kind, 1)
    assert all(callable(getattr(module, name)) for name in ("notes", "plan", "usage"))
    assert definition(f"target-{kind}")["additionalProperties"] is False
    examples = [path for path in ROOT.glob("golden/*/manifest.yaml") if f"kind: {kind}" in path.read_text()]
    assert examples, "an example shows it"
    presets = [path for path in ROOT.glob("templates/presets/*.yaml") if f"kind: {kind}" in path.read_text()]
    assert presets, "`mngen init` offers it"
    assert f"`{kind}`" in (ROOT / "docs/manifest.md").read_text()
