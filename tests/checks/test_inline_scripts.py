"""A command that is a shell with its script: the script is read before the job waits in a queue for it."""

from __future__ import annotations

import pytest
import yaml

from mngen import render, targets
from mngen.checks.tree import CheckOptions, check_tree
from mngen.manifest.load import LoadOptions, load

HALF = "if true; then train"
WHOLE = f"{HALF}; fi"


def found(fields: dict, *, kind: str = "slurm") -> list[tuple[str, int]]:
    """The findings about the shell text of such a manifest, by code and column."""
    base = {"apiVersion": "mngen/v1", "name": "shelled", "resources": {"nodes": 2}, "driver": {"command": ["train"]}}
    target = {"kind": kind, **({"image": {"ref": "a/b:1"}} if kind in {"skypilot", "dstack"} else {})}
    text = yaml.safe_dump({**base, **fields, "targets": {"a": target}}, sort_keys=False, width=1000)
    loaded = load(text, "m.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    files = render.render(targets.plan(loaded.manifest), digest="").files
    quick = check_tree(files, CheckOptions(lint=False))
    assert [f for f in check_tree(files, CheckOptions(lint=True)) if f.code.startswith("SC")] == []
    for item in quick:
        assert item.span is not None
        assert item.span.line is not None
        assert HALF.split(maxsplit=1)[0] in text.split("\n")[item.span.line - 1]
    return [(item.code, item.message.split("`")[1]) for item in quick]


@pytest.mark.parametrize("kind", ["slurm", "skypilot", "dstack", "manual"])
@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["bash", "-c", HALF], 2),
        (["/usr/bin/bash", "-c", HALF, "name", "argument"], 2),
        (["bash", "-lc", HALF], 2),
        (["bash", "-euo", "pipefail", "-c", HALF], 4),
        (["bash", "+x", "-norc", "-o", "posix", "-ec", "--", HALF], 7),
        (["bash", "-eoo", "pipefail", "errexit", "-login", "-c", "-", HALF], 7),
        (["bash", "--rcfile", "/etc/rc", "-ic", HALF], 4),
        (["sh", "-c", f"a=${{{{ nodes }}}}; {HALF} ${{{{ head_ip }}}}"], 2),
    ],
)
def test_a_script_that_is_none_is_found_at_its_word(kind: str, words: list[str], place: int) -> None:
    assert found({"driver": {"command": words}}, kind=kind) == [("MN404", f"driver.command[{place}]")]


def test_words_of_all_parts_are_one_command() -> None:
    driver = {"command": ["bash"], "args": ["-c", HALF]}
    assert found({"driver": driver}) == [("MN404", "driver.args[1]")]
    service = {"command": ["bash", "-c", HALF], "on": "every-node"}
    assert found({"services": {"side": service}}) == [("MN404", "services.side.command[2]")]


@pytest.mark.parametrize(
    "words",
    [
        ["bash", "-c", WHOLE],
        ["bash", "-c", "echo $1 `date` ${unquoted}", "x"],  # of words of a command, only the syntax is our business
        ["bash", "-o", "pipefail", "-c", WHOLE],
        ["bash", "script.sh", "-c", HALF],
        ["bash", "--", "-c", HALF],
        ["python3", "-c", HALF],
        ["bash", "-c"],
        ["bash", "-s", HALF],
        ["bash", "-norc", "train.sh", "--prompt", "don't"],
        ["bash", "-rcfile", "/etc/my (rc", "-c", "x"],
        ["bash", "-O", "extglob", "-c", "rm -f !(keep)"],
        ["bash", "-c", "shopt -s extglob\nrm -f !(*.bin)\nexec serve"],
        ["bash", "--unheard-of", "-c", HALF],
    ],
)
def test_nothing_else_is_taken_for_one(words: list[str]) -> None:
    assert found({"driver": {"command": words}}) == []
