"""The spelling of directives, against a model of how sbatch reads a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mngen.targets.slurm_options import option, quoted


def read_line(line):
    """Part a ``#SBATCH`` line as sbatch does: blanks, two kinds of quotes, backslash, ``#`` for a comment."""
    found, current, quote, escaped, begun = [], "", "", False, False
    for char in line:
        if not begun and char.isspace():
            continue
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = begun = True
            continue
        elif quote:
            if char == quote:
                quote = ""
                continue
        elif char in "\"'":
            quote, begun = char, True
            continue
        elif char == "#":
            break
        elif char.isspace():
            found.append(current)
            current, begun = "", False
            continue
        current, begun = current + char, True
    assert not quote, "sbatch ends with: Unmatched quote"
    return [*found, current] if begun else found


@pytest.mark.parametrize(
    ("argument", "written"),
    [
        ("--time=2-00:00:00", "--time=2-00:00:00"),
        ("--nodelist=gpu-[0,1]", "--nodelist=gpu-[0,1]"),
        ("--constraint=[a|b]&c*2", "--constraint=[a|b]&c*2"),
        ("--comment=a b", '--comment="a b"'),
        ("--job-name=x#y", '--job-name="x#y"'),
        ('--comment=a"b\\c', '--comment="a\\"b\\\\c"'),
        ("--comment=it's", '--comment="it\'s"'),
        ("", '""'),
    ],
)
def test_quoted(argument, written):
    assert quoted(argument) == written


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1))
def test_sbatch_reads_the_argument_back(text):
    assert read_line(f" {quoted(text)}") == [text]
    assert read_line(f" {quoted(f'--comment={text}')} {quoted('--x')}") == [f"--comment={text}", "--x"]


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("time", "90", "--time=90"),
        ("mail_type", "END,FAIL", "--mail-type=END,FAIL"),
        ("exclusive", True, "--exclusive"),
        ("exclusive", False, None),
        ("exclusive", "user", "--exclusive=user"),
        ("requeue", True, "--requeue"),
        ("requeue", False, "--no-requeue"),
        ("no_kill", True, "--no-kill"),
        ("no_kill", False, "--no-kill=off"),
        ("kill_on_invalid_dep", True, "--kill-on-invalid-dep=yes"),
        ("kill_on_invalid_dep", False, "--kill-on-invalid-dep=no"),
        ("wait_all_nodes", True, "--wait-all-nodes=1"),
        ("wait_all_nodes", False, "--wait-all-nodes=0"),
        ("oversubscribe", True, "--oversubscribe"),
        ("oversubscribe", False, None),
    ],
)
def test_option(field, value, expected):
    assert option(field, value) == expected
