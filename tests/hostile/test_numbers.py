"""What looks like a number and is none, or is one that nothing can hold: a finding or a number, never a fault of mngen.

Python's own `isdigit` is true of a superscript two, `int` reads Arabic digits, and refuses texts from 4300 digits on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mngen import render as renderer
from mngen import targets
from mngen.checks.foreign import check_foreign
from mngen.checks.options import parse_command
from mngen.diagnostics import Severity
from mngen.errors import UsageError
from mngen.manifest.contacts import Origin
from mngen.manifest.durations import for_slurm
from mngen.manifest.examples import Example, examples
from mngen.manifest.judging.hostlist import count_hosts, host_names
from mngen.manifest.judging.sizes import size_bytes
from mngen.manifest.load import Loaded, LoadOptions, load
from mngen.manifest.versions import parse_range, parse_version
from mngen.manifest.whole_numbers import whole_number
from mngen.rehearse.edits import Edited, resized
from mngen.rehearse.shape import shape
from mngen.rehearse.subject import find
from mngen.targets.contacts import contacts

LONG = "9" * 5000
NUMBERS = ("²", "٣", "0", "99999999999", LONG)
"""A digit that is no number, one of another script, none, one too many, and more than Python reads."""
IDS = ("superscript", "arabic", "zero", "large", "long")
BASE = {"apiVersion": "mngen/v1", "name": "job", "driver": {"command": ["x"]}}


def _with(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_with(item, change) for item in value]
    return {key: _with(item, change) for key, item in value.items()} if isinstance(value, dict) else value


def _put(manifest: Any, old: Any, new: Any) -> Any:
    if manifest == old and type(manifest) is type(old):
        return new
    if isinstance(manifest, list):
        return [_put(item, old, new) for item in manifest]
    return {key: _put(item, old, new) for key, item in manifest.items()} if isinstance(manifest, dict) else manifest


def _read(manifest: dict[str, Any]) -> Loaded:
    """Load a manifest; what loads is rendered too."""
    loaded = load(json.dumps(manifest), "m.yaml", LoadOptions(read=lambda _: "slurm: {partition: gpu}\n"))
    assert loaded.manifest is not None or any(item.severity is Severity.ERROR for item in loaded.diagnostics)
    if loaded.manifest is not None:
        contacts(loaded.manifest)
        renderer.render(targets.plan(loaded.manifest, partial=True), digest=loaded.manifest.digest)
    return loaded


def _forms(example: Example, number: str) -> Iterator[dict[str, Any]]:
    """Yield manifests with a number in the place of each of an example, as it stands and through a placeholder."""
    changed = _with(example.value, lambda text: re.sub(r"[0-9]+", number, text))
    if changed != example.value:
        yield _put(example.manifest, example.value, changed)
    if isinstance(changed, str) and changed != example.value:
        yield {**_put(example.manifest, example.value, "${{ vars.n }}"), "vars": {"n": changed}}


@pytest.mark.parametrize("number", ["²", "0", LONG], ids=["superscript", "zero", "long"])
def test_in_every_field_of_text(number: str) -> None:
    tried = [_read(manifest) for example in examples() for manifest in _forms(example, number)]
    assert len(tried) > 100


@pytest.mark.parametrize("number", NUMBERS, ids=IDS)
def test_where_only_rules_read_it(number: str) -> None:
    job = {
        "kind": "slurm",
        "slurm": {
            "nodelist": f"a[1-{number}],b[{number}]",
            "extra": [f"--segment={number}", f"--signal={number}@{number}"],
        },
    }
    variants = {"cuda": {"tag": "1", "base": "example/x:1", "gpu_arch": [f"{number}.0+PTX"]}}
    _read({**BASE, "targets": {"job": job}})
    _read({**BASE, "targets": {"job": {"kind": "slurm"}}, "ray": {"head_args": [f"--metrics-x={number}"]}})
    _read({**BASE, "image": {"repository": "example/y", "variants": variants}, "targets": {"job": {"kind": "manual"}}})
    _read({**BASE, "setup": f"curl http://h.example:{number}/x", "targets": {"job": {"kind": "manual"}}})
    _read({**BASE, "mngen": f">={number},~={number}", "targets": {"job": {"kind": "manual"}}})


def test_what_is_too_long_is_said() -> None:
    for field, wrong in (
        ({"resources": {"shm": f"{LONG}G"}}, "MN104"),
        ({"ray": {"version": LONG}}, "MN104"),
        ({"mngen": f">={LONG}"}, "MN118"),
        ({"slurm": {"nodelist": "a[1-²]"}}, None),
    ):
        said = {item.code for item in _read({**BASE, "targets": {"job": {"kind": "slurm"}}, **field}).diagnostics}
        assert wrong is None or wrong in said, field


def test_readers_of_numbers() -> None:
    assert [whole_number(text) for text in ("08", "", "-1", *NUMBERS)] == [
        8,
        None,
        None,
        None,
        None,
        0,
        99999999999,
        None,
    ]
    assert [count_hosts(f"a[1-{text}]") for text in ("²", "٣", "3", LONG)] == [None, None, 3, None]
    assert host_names("a[99999999999-1],b[1-99999999999]") == frozenset()
    assert [size_bytes(text) for text in ("²G", "1.5K", f"{'9' * 200}G")] == [None, 1536, int("9" * 200) * 1024**3]
    assert size_bytes(f"{LONG}G") is None
    assert [for_slurm(f"{text}h") for text in ("²", "٣", "3", LONG)] == [None, None, "3:00:00", None]
    assert [parse_version(text) for text in ("²", f"1.{LONG}")] == [None, None]
    with pytest.raises(ValueError, match="not a version bound"):
        parse_range(f">={LONG}")
    ports = [
        one.port for n in ("٣", LONG, "70000", "81") for one in Origin("job", "a", "b").text(f"http://h.example:{n}/")
    ]
    assert ports == [0, 0, 0, 81]


@pytest.mark.parametrize("number", NUMBERS, ids=IDS)
def test_in_options_and_in_files_of_others(number: str, tmp_path: Path) -> None:
    parse_command("sbatch", [f"--segment={number}", f"--nodes={number}", "job"])
    ports = ("--port", "--min-worker-port", "--max-worker-port")
    parse_command("ray start", [f"{name}={number}" for name in ports])
    for name in ("--ntasks-per-node", "--nodes", "--gpus-per-node", "--time", "--segment", "--nodelist", "--mem"):
        text = f"#!/bin/bash\n#SBATCH {name}={number}\nsrun ray start --head --port={number}\nsleep {number}\n"
        check_foreign(text, "a.sbatch", lint=False)
    task = f"num_nodes: {number}\nresources: {{accelerators: 'H100:{number}'}}\nrun: |\n  x trainer.nnodes={number}\n"
    check_foreign(task, "a.sky.yaml", lint=False)
    task_file = tmp_path / "a.sky.yaml"
    task_file.write_text(task)
    _shaped(task_file)


def _shaped(file: Path) -> bool:
    try:
        found = shape(find(file), None, None)
    except UsageError as error:
        assert str(error)
        return False
    assert len(found.names) == len(set(found.names)) <= 16
    assert found.gpus <= 64
    return True


@pytest.mark.parametrize("number", NUMBERS, ids=IDS)
def test_in_what_is_rehearsed(number: str, tmp_path: Path) -> None:
    file = tmp_path / "a.sbatch"
    options = ("nodes", "ntasks", "ntasks-per-node", "cpus-per-task", "gpus-per-node", "gpus", "gres=gpu", "nodelist=a")
    for option in options:
        value = f"[1-{number}]" if option.startswith("nodelist") else number
        file.write_text(f"#!/bin/bash\n#SBATCH --ntasks=2 --{option}{':' if '=' in option else '='}{value}\ntrue\n")
        _shaped(file)
    for line in (f"GPUS={number}", f"NODES={number}", f"SHM_KIB={number}", f"ADDRESS_FILTER=(to {number})", "NODES='2"):
        file.write_text(f"#!/bin/bash\n#SBATCH --nodes=2\nreadonly {line}\n")
        _shaped(file)
    edited = Edited(f"readonly READY_TIMEOUT={number}\n  wait_for_service a {number} x\n")
    edited.shorten_waits()
    resized(f'  "${{NODES}}" {number} "${{READY_TIMEOUT}}"\n', 2, 4, 8)


def test_what_sbatch_refuses_is_not_rehearsed(tmp_path: Path) -> None:
    file = tmp_path / "a.sbatch"
    for words, good in (
        ("--nodes=²", False),
        ("--ntasks=4 --ntasks-per-node=0", False),
        ("--nodes=2 --ntasks-per-node=²", False),
        ("--nodes=2 --gpus-per-node=99999999", False),
        ("--nodes=2 --nodelist=node[1-99999999999]", True),
        ("--ntasks=4 --ntasks-per-node=2", True),
        ("--nodes=2-4", True),
    ):
        file.write_text(f"#!/bin/bash\n#SBATCH {words}\ntrue\n")
        assert _shaped(file) is good, words
    assert shape(find(file), None, None).names == ("node1", "node2")
