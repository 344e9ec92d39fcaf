"""Whole rendered files with hostile texts in every place: ShellCheck at its strictest, and bash's own parser."""

import json
from pathlib import Path

import pytest
import ways
from files import rendered
from known import CONTROLS, DELIMITERS, SYNTAX, UNICODE
from linting import findings
from packed import HEAD, scalar

from mngen.diagnostics import Severity
from mngen.manifest.load import load

VALUES = [value for value in (*DELIMITERS, *SYNTAX[::2], *UNICODE[::2], *CONTROLS[1::8]) if value.strip()]
PARTS = 3


@pytest.mark.parametrize("part", range(PARTS))
def test_linters_have_nothing_to_say(part: int, tmp_path: Path) -> None:
    values = VALUES[part::PARTS]
    text = "".join(
        [
            HEAD,
            "env:\n",
            *(f"  V{number}: {scalar(value)}\n" for number, value in enumerate(values)),
            "driver:\n  command: [sim-driver]\n  args:\n",
            *(f"    - {scalar(value)}\n" for value in values),
            "prepare:\n",
            *(f"  - run: {scalar(value)}\n    name: shellcheck disable=all\n" for value in values),
            f"setup: {scalar(values[0])}\npreflight: {scalar(values[1])}\ncleanup: {scalar(values[2])}\n",
            "services:\n  s:\n    command:\n      - serve\n",
            *(f"      - {scalar(value)}\n" for value in values[:10]),
            "    env:\n",
            *(f"      W{number}: {scalar(value)}\n" for number, value in enumerate(values[:10])),
            "    port: auto\n    ready: {http: '/x$(y)`z`\"'}\n",
            f"targets: {json.dumps({way: ways.target(way) for way in ('docker', 'dstack')})}\n",
        ]
    )
    loaded = load(text, "a b$(touch pwned)\n.yaml")
    assert loaded.manifest is not None, [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
    files = {path: text for path, text in rendered(loaded.manifest).items() if path.endswith((".sh", ".sbatch"))}
    assert len(files) == 4
    assert findings(list(files.values()), tmp_path) == []


PATH = '/p it\'s `x` "y" * !z [a] & é\u201c #1'
WORD = 'it\'s `x` "y" $(z) * ~ \\ !a [b] & #2 \u2018'
LINE = 'it\'s "y" * !a [b] & #3'
EVERYWHERE = {
    "workdir": PATH,
    "env_files": [PATH, "${{ env.HOME }}" + PATH],
    "mounts": [{"source": "${{ env.HOME }}" + PATH, "target": PATH + "t", "mode": "ro"}],
    "code": {"path": "./it's", "to": PATH + "c"},
    "secrets": {"TOKEN": {"file": PATH}},
    "logs": {"dir": LINE, "driver": LINE + ".log", "ray_session": "always"},
    "endpoint": {"file": "${{ env.HOME }}" + PATH},
    "prepare": [{"run": "true", "name": LINE, "creates": PATH}, {"run": "true", "creates": "${{ env.HOME }}" + PATH}],
    "ray": {
        "command": ["uv run", WORD, "ray"],
        "head_args": [f"--labels={WORD}"],
        "worker_args": [f"--resources={WORD}"],
    },
    "network": {"interface": "e'$x`y`"},
    "resume": {"args": [WORD, "${{ env.HOME }}" + WORD]},
    "env": {"A": WORD, "B": "${{ env.HOME }}" + WORD, "C": "~/x", "D": "fi"},
    "driver": {
        "command": ["sim-driver", WORD],
        "args": ["${{ head_ip }}" + WORD, "~/x${{ node_rank }}", "done"],
        "submit": "ray-job",
        "runtime_env": {"env_vars": {"A": WORD}, "pip": [LINE], "working_dir": PATH, "excludes": [WORD]},
    },
    "services": {"s": {"command": ["serve", WORD], "env": {"A": WORD}, "ready": {"command": ["test", WORD]}}},
}
CLIENTS = {
    "apptainer": {
        "container": {"command": ["it's", "apptainer"], "options": [f"--comment={WORD}"]},
        "image": {"sif": PATH},
    },
    "docker": {"container": {"options": [f"--label={WORD}"]}, "image": {"ref": "example/image:1"}},
    "pyxis": {"image": {"sqsh": PATH}, "mounts": [], "code": {"path": ".", "to": "/c"}, "logs": {"dir": "logs"}},
    "prefix": {"container": {"prefix": ["shifter", WORD, "${{ env.HOME }}" + WORD]}},
    "none": {},
}


@pytest.mark.parametrize("runtime", CLIENTS)
def test_linters_have_nothing_to_say_about_any_place(runtime: str, tmp_path: Path) -> None:
    slurm = {
        "kind": "slurm",
        "runtime": runtime,
        "slurm": {"comment": LINE, "account": LINE, "time": "60"},
        **CLIENTS[runtime],
    }
    slurm["on_time_limit"] = {"then": "requeue"}
    manifest = {
        "apiVersion": "mngen/v1",
        "name": "sim",
        "resources": {"nodes": 2},
        **EVERYWHERE,
        "targets": {"job": slurm},
    }
    loaded = load(json.dumps(manifest), "manifest.yaml")
    assert loaded.manifest is not None, [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
    assert findings(list(rendered(loaded.manifest).values()), tmp_path) == []


KINDS = {
    "manual": ({}, ("resume",)),
    "skypilot": ({}, ("resume", "endpoint", "network", "mounts")),
    "dstack": ({"image": {"ref": "example/image:1"}}, ("resume", "endpoint", "network", "mounts")),
}
"""What a kind needs, and the fields that it has no use for."""


@pytest.mark.parametrize("kind", KINDS)
def test_linters_have_nothing_to_say_about_other_kinds(kind: str, tmp_path: Path) -> None:
    needed, unused = KINDS[kind]
    fields = {name: value for name, value in EVERYWHERE.items() if name not in unused}
    target = {"kind": kind, **needed}
    manifest = {
        "apiVersion": "mngen/v1",
        "name": "sim",
        "resources": {"nodes": 2},
        **fields,
        "targets": {"job": target},
    }
    loaded = load(json.dumps(manifest), "manifest.yaml")
    assert loaded.manifest is not None, [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
    scripts = [text for path, text in rendered(loaded.manifest).items() if path.endswith(".sh")]
    assert findings(scripts, tmp_path) == []
