"""No script sets a variable that nothing in it reads, whichever one field a manifest has besides what it must have."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import ways
from files import rendered
from linting import findings

from mngen.manifest.load import load

KINDS = [*(("slurm", runtime) for runtime in ways.SLURM), ("skypilot", "none"), ("dstack", "none")]
KINDS += [("manual", runtime) for runtime in ways.SLURM if runtime != "pyxis"]
FIELDS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "gpus": {"resources": {"gpus": 2, "gpu_type": "h100"}},
    "code": {"code": {"path": ".", "to": "/code"}},
    "mount": {"mounts": [{"source": "/data", "target": "/data"}]},
    "logs": {"logs": {"driver": "train.log"}},
    "ray-logs": {"logs": {"ray_session": "always"}},
    "interface": {"network": {"interface": "ib0"}},
    "range": {"network": {"cidr": "10.0.0.0/8"}},
    "suffix": {"network": {"host_suffix": "-ib0"}},
    "family": {"network": {"family": "ipv6"}},
    "secret": {"secrets": {"TOKEN": {"file": "${{ env.HOME }}/token"}}},
    "user": {"env": {"ME": "${{ uid }}"}},
    "workdir": {"workdir": "/work"},
    "outside": {"driver": {"command": ["train"], "submit": "ray-job", "from": "outside"}},
    "endpoint": {"endpoint": {"file": "/shared/e.json"}},
}
_BASHS_OWN = {"IFS", "LC_ALL"}
_SET = re.compile(r"(?<![\w$\"{-])([A-Z][A-Z_0-9]+)=")


def scripts(kind: str, runtime: str, fields: dict[str, Any], nodes: int = 2) -> dict[str, str]:
    """The launch files of a manifest that has these fields."""
    target: dict[str, Any] = {"kind": kind, **({"runtime": runtime} if kind in ("slurm", "manual") else {})}
    if runtime != "none" or kind == "dstack":
        target["image"] = {"ref": "example/image:1"}
    if runtime == "prefix":
        target["container"] = {"prefix": ["enter-image"]}
    manifest = {
        "apiVersion": "mngen/v1",
        "name": "sim",
        "driver": {"command": ["train"]},
    }
    fields = {**fields, "resources": {"nodes": nodes, **fields.get("resources", {})}}
    loaded = load(json.dumps({**manifest, **fields, "targets": {"job": target}}), "manifest.yaml")
    assert loaded.manifest is not None, loaded.diagnostics
    return {path: text for path, text in rendered(loaded.manifest).items() if path.endswith((".sh", ".sbatch"))}


def unused(text: str) -> set[str]:
    """Variables that a script sets, and neither reads nor exports."""
    code = re.sub(r"(?m)^ *#.*$", "", text)
    set_here = set(_SET.findall(code)) - _BASHS_OWN
    return {name for name in set_here if not re.search(rf"(?<!\w){name}\b(?!=)|export [^\n]*\b{name}=", code)}


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_set_is_read(field: str) -> None:
    found = {}
    for (kind, runtime), nodes in product(KINDS, (1, 2)):
        for path, text in scripts(kind, runtime, FIELDS[field], nodes).items():
            found[kind, runtime, nodes, path] = unused(text)
    assert {key: names for key, names in found.items() if names} == {}


@pytest.mark.parametrize("runtime", ["prefix", "none"])
def test_linters_say_the_same(runtime: str, tmp_path: Path) -> None:
    fields = {**FIELDS["code"], **FIELDS["suffix"]}
    assert findings(list(scripts("manual", runtime, fields).values()), tmp_path) == []
