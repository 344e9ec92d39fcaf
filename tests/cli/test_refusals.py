"""What is wrong is said with what it is about, and with what helps, where nothing of a manifest is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from mngen.manifest.characters import MOST_BYTES

TYPED = {"COMP_WORDS": "mngen sch", "COMP_CWORD": "1"}
HEAD = "apiVersion: mngen/v1\nname: job\ndriver: {command: x}\ntargets:\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("typed", [{}, {"COMP_WORDS": ""}, {"COMP_WORDS": "mngen"}, {**TYPED, "COMP_WORDS": ""}])
def test_completion_that_is_asked_for_without_words_is_wrong_usage(mngen, monkeypatch, shell, typed) -> None:
    for name in TYPED:
        monkeypatch.delenv(name, raising=False)
    for name, value in {"_MNGEN_COMPLETE": f"{shell}_complete", **typed}.items():
        monkeypatch.setenv(name, value)
    result = mngen()
    assert result.status == 2
    assert result.err.startswith(f"error: `_MNGEN_COMPLETE={shell}_complete` goes with COMP_WORDS and COMP_CWORD")
    assert "\nhint: " in result.err


@pytest.mark.parametrize("asked", ["nope", "bash", "bash_nope", "nope_complete", "_"])
def test_completion_of_no_known_kind_is_wrong_usage(mngen, monkeypatch, asked) -> None:
    monkeypatch.setenv("_MNGEN_COMPLETE", asked)
    result = mngen()
    assert (result.status, result.err.splitlines()[0]) == (
        2,
        f"error: `_MNGEN_COMPLETE={asked}` is none of tab completion's own",
    )


def test_completion_works_as_before(mngen, monkeypatch) -> None:
    for name, value in {"_MNGEN_COMPLETE": "bash_complete", **TYPED}.items():
        monkeypatch.setenv(name, value)
    assert (mngen().status, mngen().out) == (0, "plain,schema\n")


@pytest.mark.parametrize("count", [1, 2, 9, 10, 30])
def test_a_target_that_is_not_there_is_told_with_those_that_are(mngen, count) -> None:
    names = [f"t{number:02}" for number in range(count)]
    Path("job.yaml").write_text(HEAD + "".join(f"  {name}: {{kind: slurm}}\n" for name in names))
    result = mngen("validate", "--no-lint", "job.yaml", "--target", "nope")
    assert result.status == 1
    assert f"hint: expected {'one of ' if count > 1 else ''}`t00`" in result.err
    assert all(f"`{name}`" in result.err for name in names)


def test_the_size_that_is_told_is_not_what_was_read_of_it(mngen) -> None:
    Path("job.yaml").write_text("#" * 3_000_127)
    result = mngen("validate", "job.yaml")
    assert (result.status, f"error[MN107]: the file has more than {MOST_BYTES} bytes" in result.err) == (1, True)


@pytest.mark.parametrize("text", ["[", "{a: ", "- ", "? ", "[{a: "])
@pytest.mark.parametrize("times", [41, 500, 10_000])
def test_too_deep_is_said_of_any_depth(mngen, text, times) -> None:
    result = mngen("validate", "-", stdin=text * times)
    assert result.status == 1
    assert "error[MN107]: nested more than 40 levels deep" in result.err
    assert "hint: write it flatter" in result.err


MERGES = {"one": "<<: *a{0}", "a list": "<<: [*a{0}]", "a list of two": "<<: [*a{0}, *a{0}]"}


@pytest.mark.parametrize("way", MERGES)
def test_merged_maps_are_as_deep_as_they_are_written_out(mngen, way) -> None:
    """Each has all keys of the one before it, and is flat."""
    lines = ["env:", "  <<: *a60", "raw:", "  a0: &a0 {k0: x}"]
    for number in range(1, 61):
        lines += [f"  a{number}: &a{number}", f"    {MERGES[way].format(number - 1)}", f"    k{number}: x"]
    text = "\n".join([*lines[2:], *lines[:2]])
    result = mngen("validate", "-", "--no-lint", stdin=text if way != "a list of two" else text.replace("a60", "a9"))
    assert "levels deep" not in result.err


@pytest.mark.parametrize("text", ["{<<: ", "[", "{a: "])
@pytest.mark.parametrize("times", [41, 300])
def test_merges_that_are_written_inside_each_other_are_too_deep(mngen, text, times) -> None:
    result = mngen("validate", "-", "--no-lint", stdin="env: {<<: " + text * times)
    assert (result.status, "error[MN107]: nested more than 40 levels deep" in result.err) == (1, True), result.err


@pytest.mark.parametrize("out", ["file/out", "file/a/b/out", "link/out"])
def test_an_output_folder_below_what_is_no_folder_is_wrong_usage(mngen, out) -> None:
    Path("job.yaml").write_text(f"{HEAD}  t: {{kind: slurm}}\n")
    Path("file").touch()
    Path("link").symlink_to("nowhere")
    for options in ([], ["--check"], ["--dry-run"]):
        result = mngen("render", "--no-lint", "job.yaml", "-o", out, *options)
        what = "a link that leads nowhere" if out.startswith("link") else "not a folder"
        assert (result.status, result.err.splitlines()[0]) == (2, f"error: `{out.partition('/')[0]}` is {what}")


@pytest.mark.parametrize("command", ["validate", "render", "diff"])
def test_a_folder_that_was_removed_is_told_so(mngen, monkeypatch, tmp_path, command) -> None:
    (tmp_path / "job.yaml").write_text(f"{HEAD}  t: {{kind: slurm}}\n")
    (tmp_path / "gone").mkdir()
    with monkeypatch.context() as there:
        there.chdir(tmp_path / "gone")
        (tmp_path / "gone").rmdir()
        result = mngen(command, str(tmp_path / "job.yaml"), "--no-lint")
    assert result.status == 3
    assert result.err == "error: the current folder was removed\nhint: change to one that exists: cd\n"


@pytest.mark.parametrize("command", ["validate", "lint", "show"])
def test_the_line_with_a_byte_that_is_no_text_is_shown(mngen, command) -> None:
    Path("job.yaml").write_bytes(b"apiVersion: mngen/v1\nname: caf\xe9\n")
    result = mngen(command, "job.yaml")
    assert result.status == 1
    assert "2 | name: caf\ufffd\n" in result.err + result.out
