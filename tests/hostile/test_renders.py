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
