"""Steps whose lines mean something to Apptainer: no linter objects to how they are written, and bash runs the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from described import files

from mngen.checks.tree import CheckOptions, check_tree
from mngen.diagnostics import Severity
from mngen.images.definition_layers import script_lines
from mngen.images.quoting import fits_definition
from mngen.manifest.image import Step

SPECIAL = (
    "% comment",
    "%files",
    "  %post -c x",
    "\t%",
    "%%",
    "%",
    "Bootstrap: docker",
    "bootstrap:x",
    "{{ a }}",
    "{{{b}}}",
)
"""Lines that would begin a section or a stage, or be replaced."""
WRAPS = {
    "here-document": "cat <<'EOF'\nx = 1\n%s\nEOF\n",
    "expanded here-document": "x=1\ncat <<EOF\n$x `echo y` \\$z\n%s\nEOF\n",
    "single quotes": "printf '%%s' 'a\n%s\nb'\n",
    "single quotes from the start": "printf '%%s' '\n%s\n'\n",
    "double quotes": 'x=1\nprintf "%%s" "a $x\n%s\nb"\n',
    "quotes of all kinds": "printf '%%s' \"it's\" '\"a\"' $'b\\'c' '\n%s'\n",
    "commands": "a() { :; }\n%s || true\n",
    "a comment": "true\n# it's\n#\n: <<'E'\n%s\nE\n",
    "the whole": "%s\n",
    "an argument that goes on": "printf '%%s\\n' a \\\nb\ncat <<'EOF'\n\n%s\n\nEOF\n",
    "quotation marks": "cat <<'EOF'\n\u201cso\u201d it\u2019s\n%s\nthey\u2019re\nEOF\n",
    "backslashes": "cat <<'EOF'\na\\\n%s\n\\'\nEOF\n",
}
BODIES = [
    WRAPS[name] % "\n".join(lines)
    for name in WRAPS
    for lines in [*((line,) for line in SPECIAL), SPECIAL, ("% a", "% b"), ("{{", "{{", "bootstrap:", "%")]
]


def outcome(script: str, folder: Path) -> tuple[int, bytes]:
    done = subprocess.run(["bash", "-s"], input=script.encode(), capture_output=True, cwd=folder, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize("body", BODIES)
def test_bash_runs_the_text_itself(body, tmp_path: Path):
    (tmp_path / "step").write_text(body)
    lines = "\n".join(script_lines(Step(run=body)))
    assert fits_definition(lines)
    assert outcome(lines, tmp_path) == outcome("bash -euo pipefail step", tmp_path)


def test_no_linter_takes_it_for_a_fault():
    """What is said of the user's own text is a warning; an error would be about mngen's."""
    rendered = files(steps=BODIES, self_test=BODIES)
    found = [item for item in check_tree(rendered, CheckOptions()) if item.severity is Severity.ERROR]
    lines = {file.path: file.text.split("\n") for file in rendered}
    said = [
        (item.code, item.message, lines[item.span.file][item.span.line - 1])
        for item in found
        if item.span.file in lines
    ]
    assert said == []
