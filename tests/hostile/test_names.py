"""Names and placeholders: a name with more than its letters is refused, and a placeholder brings its value unchanged."""

import json
from typing import Any

import pytest
from packed import HEAD, scalar
from values import NOT_TEXT, pool

from mngen.diagnostics import Severity
from mngen.manifest.load import load

BASE: dict[str, Any] = {
    "apiVersion": "mngen/v1",
    "name": "sim",
    "driver": {"command": ["sim-driver"]},
    "targets": {"job": {"kind": "slurm"}},
}
PLACES: dict[str, Any] = {
    "name": {"name": "NAME"},
    "target": {"targets": {"NAME": {"kind": "slurm"}}},
    "env": {"env": {"NAME": "x"}},
    "service": {"services": {"NAME": {"command": ["x"]}}},
    "variable of a service": {"services": {"s": {"command": ["x"], "env": {"NAME": "x"}}}},
    "secret": {"secrets": {"NAME": {}}},
    "vars": {"vars": {"NAME": "x"}},
    "unset_env": {"unset_env": ["NAME"]},
    "prefix": {"ray": {"unset_env_prefixes": ["NAME"]}},
    "interface": {"network": {"interface": "NAME"}},
    "suffix": {"network": {"host_suffix": "NAME"}},
    "temp_dir": {"ray": {"temp_dir": "/NAME"}},
    "log": {"logs": {"driver": "NAME"}},
    "step": {"prepare": [{"run": "true", "name": "NAME"}]},
    "time": {"targets": {"job": {"kind": "slurm", "slurm": {"time": "NAME"}}}},
    "export": {"targets": {"job": {"kind": "slurm", "slurm": {"export": "NAME"}}}},
}
ENDINGS = ("\n", "\r", "\n#SBATCH --wrap=x", "\ntouch pwned", "\x00", "\x1b[0m", "\x7f")
"""What a pattern that ends in `$` would let pass, and worse."""


@pytest.mark.parametrize("place", PLACES)
def test_a_name_is_one_line(place: str) -> None:
    for ending in ENDINGS:
        plain = json.dumps({**BASE, **PLACES[place]})
        loaded = load(plain.replace("NAME", json.dumps("a" + ending)[1:-1]), "manifest.yaml")
        assert loaded.manifest is None, ending
        assert all(item.hint for item in loaded.diagnostics if item.severity is Severity.ERROR)


def test_a_placeholder_brings_its_value_unchanged() -> None:
    values = [value for value in pool() if value.strip() and "\0" not in value and value not in NOT_TEXT]
    assert len(values) >= 2000
    text = "".join(
        [
            HEAD,
            "vars:\n",
            *(f"  v{number}: {scalar(value)}\n" for number, value in enumerate(values)),
            "driver:\n  command: [sim-driver]\n  args:\n",
            *(f"    - a${{{{ vars.v{number} }}}}b\n" for number in range(len(values))),
            "targets: {job: {kind: slurm}}\n",
        ]
    )
    loaded = load(text, "manifest.yaml")
    assert loaded.manifest is not None, [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
    found = [text.literal for text in loaded.manifest.targets[0].driver.args]
    assert found == [f"a{value}b" for value in values]
