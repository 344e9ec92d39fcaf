"""Pasted commands, whose lines end with a backslash, in every form that YAML has for a text of several lines."""

from __future__ import annotations

import pytest

FIELDS = {
    "driver.command": "driver:\n  command: {}",
    "services.a.command": "services:\n a:\n  command: {}",
    "services.a.ready.command": "services:\n a:\n  command: s\n  ready:\n   command: {}",
    "setup": "host_setup: x\nsetup: {}",
    "driver.args.0": "driver:\n  command: p\n  args:\n  - {}",
    "env.A": "env:\n  A: {}",
}
"""Fields that take a command in one string, and others of text."""

JOINED = {
    "folded": (">\n      p a \\\n      --b c", "write `|` in the place of `>`"),
    "folded, stripped": (">-\n      p a \\\n      --b c \\\n      d\n", "write `|` in the place of `>`"),
    "folded, blanks behind": (">\n      p a \\  \n      --b c", "write `|` in the place of `>`"),
    "plain": ("p a \\\n      --b c", "write `{} |` and these lines below it, each indented"),
    "in single quotes": ("'p a \\\n      --b c'", "write `{} |` and these lines below it, each indented"),
}
KEPT = {
    "literal": "|\n      p a \\\n      --b c",
    "literal, indented": "|\n      p a \\\n        --b c",
    "folded, more indented": ">\n      p a \\\n        --b c",
    "folded without a backslash": ">\n      p a\n      --b c",
    "in double quotes": '"p a \\\n      --b c"',
    "escaped blank in one line": "p a\\ b --c",
    "escaped blank in a folded text": ">\n      p a\\ b\n      --c d",
}


def written(field, value):
    return "\n".join(f"{line}" for line in FIELDS[field].format(value).split("\n")) + "\n"


@pytest.mark.parametrize("form", JOINED)
@pytest.mark.parametrize("field", FIELDS)
def test_joined_lines_are_refused(loaded, field, form):
    value, hint = JOINED[form]
    found = [one for one in loaded(written(field, value)).diagnostics if one.code == "MN122"]
    key = "-" if field.endswith(".0") else field.rpartition(".")[2] + ":"
    assert [one.hint for one in found] == [hint.format(key)]
    assert found[0].severity.value == "error"


@pytest.mark.parametrize("form", KEPT)
@pytest.mark.parametrize("field", FIELDS)
def test_what_joins_nothing_passes(loaded, field, form):
    assert [one for one in loaded(written(field, KEPT[form])).diagnostics if one.code == "MN122"] == []


@pytest.mark.parametrize("field", [name for name in FIELDS if name.endswith("command")])
def test_a_blank_behind_the_backslash_of_a_block(loaded, field):
    (found,) = [one for one in loaded(written(field, "|\n      p a \\ \n      --b")).diagnostics if one.code == "MN122"]
    assert found.hint == "remove blanks at the ends of lines"


def test_a_setting_of_the_command_line_has_one_line(loaded):
    assert [one.code for one in loaded("", "driver.command=p a\\ b").diagnostics] == []


@pytest.mark.parametrize("mark", [">", "|", ""])
@pytest.mark.parametrize("field", ["driver.args", "container.prefix", "ray.command", "slurm.srun_args"])
def test_words_in_the_place_of_a_list_are_those_of_the_lines(errors, field, mark):
    section, key = field.split(".")
    ((_, _, _, hint),) = errors(f"{section}:\n  {key}: {mark}\n    a \\\n    --b\n")
    assert hint == f'write `{key}: [a, "--b"]`'
