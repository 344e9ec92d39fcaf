"""``ray.start_args`` and its like: every word is an option of ``ray start``, or the value of one."""

from __future__ import annotations

import pytest

from mngen.checks.option_tables import table
from mngen.manifest.judging.ray_start import ARGUMENT_LISTS, FLAGS, NEWER, OWN, VALUED


def given(*words, where="start_args", version=None):
    return {"ray": {where: list(words), "version": version}}


CASES = {
    **{
        f"{where}: {words}": (given(*words, where=where), ["MN316"])
        for where in ARGUMENT_LISTS
        for words in (
            ("nope",),
            ("no option",),
            ("",),
            ("-",),
            ("--",),
            ("--help",),
            ("--labels",),
            ("--labels", "--verbose"),
            ("--memory", "-v"),
            ("--verbose", "true"),
            ("--verbose=true",),
            ("--labels", "a=b", "c=d"),
        )
    },
    **{
        f"no release has {words}": (given(*words), ["MN208w"])
        for words in (("--nope",), ("--nope", "value"), ("--label=a=b",), ("--object-store-mem=5",), ("-x",))
    },
    **{f"{name} of a newer Ray": (given(f"{name}=1", version="2.45.0"), ["MN208"]) for name in NEWER if name in VALUED},
    **{f"{name} of this Ray": (given(f"{name}=1", version="2.52.1"), []) for name in NEWER if name in VALUED},
    **{f"{name} of a Ray that nobody names": (given(f"{name}=1"), []) for name in NEWER if name in VALUED},
    "flag of a newer Ray": (given("--enable-resource-isolation", version="2.45.0"), ["MN208"]),
    "values": (given("--labels", "a=b", "--memory", "-1", "--log-style=record", "-v", "--verbose", "-vv"), []),
    "values that the node knows": (given("--labels", "${{ env.L }}", "--resources=${{ env.R }}"), []),
    "a word that the node knows": (given("${{ env.OPTIONS }}"), []),
    "what a field decides, without its value": (given("--port"), ["MN207"]),
    "two words in one": (given("--labels a=b"), ["MN297w"]),
    "what a field decides, in one word": (given("--port 6379"), ["MN207", "MN297w"]),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_the_lists_are_those_of_the_table():
    known = {option.name: option for option in table("ray start").options.values()}
    assert {name for name, option in known.items() if not option.takes_value} == FLAGS
    assert {name for name, option in known.items() if option.takes_value} == VALUED
    assert {name: option.since for name, option in known.items() if option.since} == NEWER
    assert set(OWN) <= FLAGS | VALUED


@pytest.mark.parametrize(
    ("words", "hint", "mended"),
    [
        (["--labels"], "write one item, --labels=VALUE", ["--labels=VALUE"]),
        (["--verbose=1"], "write --verbose", ["--verbose"]),
        (["--help"], "remove it", []),
        (["--lables=a=b"], "did you mean `--labels`?", ["--labels=a=b"]),
        (["--nope"], "remove it, unless `ray start --help` of your Ray has it", []),
    ],
)
def test_the_hint_applied_ends_the_finding(findings, codes, words, hint, mended):
    (found,) = findings(**given(*words))
    assert found.hint == hint
    assert codes(**given(*mended)) == []
