"""`ray.command`, `ray.python` and `PATH` in a rehearsal: whatever brings Ray there, here it is the nodes' own."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_files import made, one, rendered, wrong

from mngen.rehearse.limits import not_exercised
from mngen.rehearse.settings import setting

MANIFEST = """\
apiVersion: mngen/v1
name: x
resources: {{nodes: 2, gpus: 8}}
env: {{PATH: "/opt/venv/bin:/usr/bin"}}
driver: {{command: [python3, t.py], submit: {submit}}}
ray: {{command: {command}, unset_env_prefixes: [FOO_]{more}}}
targets: {{s: {{kind: slurm, slurm: {{time: "1:00:00"}}}}}}
"""
COMMANDS = [
    ("[/opt/venv/bin/ray]", "", "/opt/venv/bin/python3"),
    ("[/root/.local/bin/ray]", "", ""),
    ("[uv, run, ray]", "", "uv run python3"),
    ("[python3, -m, ray.scripts.scripts]", "", ""),
    ("[ray]", ", python: [/opt/venv/bin/python3]", "/opt/venv/bin/python3"),
    ("""[sh, -c, 'cd "/a b" && exec ray "$@"', _]""", """, python: ["/opt/z (z)/python3", "it's", "-B)"]""", "/opt/z"),
]


@pytest.mark.parametrize(("command", "more", "python"), COMMANDS)
def test_the_stand_in_is_what_those_words_start(command: str, more: str, python: str, tmp_path: Path) -> None:
    file = rendered(tmp_path, MANIFEST.format(submit="ray-job", command=command, more=more))
    ready = made(file)
    before, after = file.read_text(), ready.scripts[file.name].text
    assert (setting(after, "RAY"), setting(after, "RAY_PYTHON")) == (("ray",), ("python3",))
    assert ' start_part ray env "${RAY_WITHOUT[@]}" ray start "${role[@]}" \\\n' in after
    assert after.count("\n") == before.count("\n")
    told = [line for line in not_exercised(ready) if line.startswith("what brings Ray: ")]
    assert len(told) == 1
    assert python in told[0]


def test_what_starts_ray_by_its_name_is_left_as_it_is(tmp_path: Path) -> None:
    ready = made(rendered(tmp_path, MANIFEST.format(submit="direct", command="[ray]", more="")))
    assert not any("what brings Ray" in line for line in not_exercised(ready))


@pytest.mark.parametrize("plain", [False, True], ids=["namespaces", "processes"])
def test_such_a_job_comes_to_its_end(plain: bool, tmp_path: Path) -> None:
    more = ", version: 2.52.1"
    file = rendered(tmp_path, MANIFEST.format(submit="ray-job", command="[uv, run, ray]", more=more))
    ready = made(file, plain=plain)
    found, outcome = wrong(ready, one("driver-fails"))
    assert found == [], outcome.log
    assert "PATH: the nodes' own folders stand before those of the manifest" in not_exercised(ready)
