"""A finding in a scalar of YAML stands where its words stand in the file, however the scalar is written."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign

# a file: the lines of its two findings, MN782 about `printenv` and SC2086 about `$1`
PLACES = {
    "run: |\n  true\n\n  printenv\n  ls $1\n": (4, 5),
    "run: |-\n  true\n  printenv; ls $1\n": (3, 3),
    "run: >\n  true;\n  printenv;\n  ls\n  $1\nnum_nodes: 1\n": (3, 5),
    "run: >-  # folded\n  true;\n\n  printenv;\n    ls $1\n": (4, 5),
    "run: >2\n    true;\n  printenv; ls $1\n": (3, 3),
    "run: true; printenv; ls $1\n": (1, 1),
    "run: true;\n  printenv;\n  ls $1\n": (2, 3),
    "run:\n  true;\n  printenv;\n\n  ls $1\n": (3, 5),
    "run: 'true;\n  printenv;\n  ls $1'\n": (2, 3),
    'run: "true;\n  printenv;\n  ls $1"\n': (2, 3),
    'run: "true\\nprintenv\\nls $1\\n"\n': (1, 1),
    'num_nodes: 2\nrun: "set -e\\necho \\"$x\\"\\nprintenv\\nls $1"\nname: x\n': (2, 2),
    'run: "true;\n  echo \\"x\\";\n  printenv;\n  ls $1"\nname: x\n': (1, 1),
    'run: "bash -c \\"true\\nprintenv\\n\\"\\nls $1"\n': (1, 1),
    'run: "bash <<E\\ntrue\\nprintenv\\nE\\nls $1"\n': (1, 1),
    "setup: &a |\n  true\n  printenv\n  ls $1\nrun: echo\n": (3, 4),
}


@pytest.mark.parametrize("text", PLACES)
def test_a_finding_stands_where_its_words_are(text: str) -> None:
    found = check_foreign(text, "a.sky.yaml")
    lines = {item.code: item.span.line for item in found if item.span is not None}
    assert (lines["MN782"], lines["SC2086"]) == PLACES[text]


@pytest.mark.parametrize("text", [text for text in PLACES if "\\n" not in text and "\\" not in text])
def test_linters_point_at_the_words(text: str) -> None:
    (item,) = [item for item in check_foreign(text, "a.sky.yaml") if item.code == "SC2086"]
    span = item.span
    assert span is not None
    assert text.split("\n")[(span.line or 0) - 1][(span.column or 0) - 1 : (span.end_column or 0) - 1] == "$1"


# an entry of a list of commands: the line of `printenv` in it
ENTRIES = {
    "- |\n    true\n    printenv\n": 3,
    "- >\n    true;\n    printenv;\n": 3,
    "- true;\n    printenv\n": 2,
    '- "true\\nprintenv"\n': 1,
    "- 'true;\n\n    echo ${{ run.args }};\n    printenv'\n": 4,
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_in_a_list_of_commands_too(entry: str) -> None:
    text = f"type: task\nimage: x\ncommands:\n  - echo\n  {entry}"
    lines = {item.code: item.span.line for item in check_foreign(text, "a.dstack.yml", lint=False) if item.span}
    assert lines["MN782"] == ENTRIES[entry] + 4
