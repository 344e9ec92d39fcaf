"""Bug cases about YAML (B93 to B97): what is lost or changed without a word elsewhere is said here."""

from plain import job_file

from mngen.diagnostics import Diagnostic
from mngen.manifest.load import Loaded, load
from mngen.report.text import render

HEAD = "apiVersion: mngen/v1\nname: sim\ndriver: {command: [sim-driver]}\ntargets: {job: {kind: slurm}}\n"


def said(text: str) -> tuple[Loaded, Diagnostic]:
    """A manifest with one finding."""
    loaded = load(HEAD + text, "manifest.yaml")
    (found,) = loaded.diagnostics
    return loaded, found


def test_b93_a_key_written_twice_is_an_error_with_both_lines() -> None:
    for text, second, first in (
        ("env: {A: '1'}\nenv: {A: '2'}\n", 6, 5),
        ("env:\n  A: '1'\n  B: '2'\n  A: '3'\n", 8, 6),
        ("services:\n  s:\n    command: [x]\n    env:\n      A: '1'\n      A: '2'\n", 10, 9),
        ("prepare:\n  - run: a\n    run: b\n", 7, 6),
    ):
        loaded, found = said(text)
        assert loaded.manifest is None
        assert (found.code, found.span and found.span.line) == ("MN102", second)
        assert [label.span.line for label in found.labels] == [first]


def test_b93_anchors_and_merge_keys_still_work() -> None:
    text = "vars: {x: y}\nenv: &all {A: '1', B: '2'}\nservices:\n  s: {command: [x], env: {<<: *all, B: '3'}}\n"
    loaded = load(HEAD + text, "manifest.yaml")
    assert loaded.manifest is not None
    (service,) = loaded.manifest.targets[0].services
    assert {name: value.literal for name, value in service.env} == {"A": "1", "B": "3"}


def test_b94_a_colon_in_a_list_item_is_shown_with_the_way_to_quote_it() -> None:
    text = "prepare:\n  - run: 'true'\nresume:\n  args:\n    - echo foo: bar\n"
    loaded, found = said(text)
    assert loaded.manifest is None
    assert "quotes" in (found.hint or "")
    assert "|" in (found.hint or "")
    report = render([found], dict(loaded.sources))
    assert "    - echo foo: bar" in report
    assert "{'" not in report


def test_b94_a_colon_in_a_value_is_shown_with_the_way_to_quote_it() -> None:
    loaded, found = said("prepare:\n  - run: echo foo: bar\n")
    assert found.code == "MN100"
    assert "quotes" in (found.hint or "")
    assert "  - run: echo foo: bar" in render([found], dict(loaded.sources))


def test_b97_a_block_keeps_its_hash() -> None:
    command = 'pip install "x<4" # note\n'
    text = job_file(setup=command, prepare=[{"run": command}])
    assert text.count(command) == 2


def test_b97_a_comment_behind_a_plain_item_is_yamls() -> None:
    loaded = load(HEAD + "resume:\n  args:\n    - a=b # note\nprepare:\n  - run: make data # note\n", "manifest.yaml")
    assert loaded.manifest is not None
    assert [item for item in loaded.diagnostics if item.code == "MN119"] == []
    assert loaded.manifest.targets[0].prepare[0].script.text.literal == "make data"


def test_b97_a_comment_that_cuts_a_text_between_its_quotes_is_remarked_on() -> None:
    for text in ('prepare:\n  - run: pip install "x # y"\n', "resume:\n  args:\n    - title='a # b'\n"):
        found = [item for item in load(HEAD + text, "manifest.yaml").diagnostics if item.code == "MN119"]
        assert len(found) == 1
        assert "`|` block" in (found[0].hint or "")
