"""Exit statuses, streams, colour, interrupts and faults of mngen itself."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mngen.cli import pipeline
from mngen.cli.ui import wants_color
from mngen.diagnostics import Diagnostic, Severity

MNGEN = [sys.executable, "-m", "mngen"]


def test_a_valid_manifest(mngen, manifest) -> None:
    result = mngen("validate", "--no-lint", manifest)
    assert (result.status, result.out, result.err) == (0, "", "job.yaml: valid; targets: first, second\n")


def test_findings_are_status_1_with_their_place(mngen) -> None:
    Path("job.yaml").write_text(
        "apiVersion: mngen/v1\nname: job\ndriver: {command: x}\ntargets: {a: {kind: slurm, parti: 1}}\n"
    )
    result = mngen("validate", "job.yaml")
    assert result.status == 1
    assert result.out == ""
    assert "error[MN101]: " in result.err
    assert "  --> job.yaml:4:" in result.err
    assert result.err.endswith("1 error\n")


def test_findings_of_stdin_name_it(mngen) -> None:
    result = mngen("validate", "-", stdin="a: [")
    assert result.status == 1
    assert "  --> <stdin>:1:" in result.err


def test_text_that_is_not_utf8_has_a_place(mngen) -> None:
    Path("job.yaml").write_bytes(b"a: 1\nb: \xff\n")
    result = mngen("validate", "job.yaml", "--format", "json")
    assert result.status == 1
    (found,) = json.loads(result.out)["diagnostics"]
    assert (found["code"], found["span"]["line"], found["span"]["column"]) == ("MN107", 2, 4)


def test_a_file_that_cannot_be_read_is_status_3(mngen) -> None:
    result = mngen("validate", "absent.yaml")
    assert result.status == 3
    assert result.err == "error: cannot read `absent.yaml`: No such file or directory\n"
    assert mngen("validate", ".").status == 3
    assert mngen("lint", "absent.sh").status == 3


def test_strict_makes_warnings_fail(mngen, manifest, monkeypatch) -> None:
    monkeypatch.setattr(pipeline.targets, "notes", lambda _manifest: [Diagnostic("MN250", Severity.WARNING, "w")])
    assert mngen("validate", "--no-lint", manifest).status == 0
    result = mngen("validate", "--no-lint", "--strict", manifest)
    assert (result.status, "1 warning; with --strict warnings fail the command\n" in result.err) == (1, True)
    monkeypatch.setattr(pipeline.targets, "notes", lambda _manifest: [Diagnostic("MN250", Severity.ERROR, "e")])
    assert "--strict" not in mngen("validate", "--no-lint", "--strict", manifest).err


def test_sarif_leaves_the_judging_to_its_reader(mngen) -> None:
    result = mngen("validate", "-", "--format", "sarif", stdin="a: [")
    assert result.status == 0
    assert json.loads(result.out)["runs"][0]["results"]


def test_quiet_shows_problems_alone(mngen, manifest) -> None:
    assert mngen("validate", "-q", "--no-lint", manifest).err == ""
    assert "error[" in mngen("validate", "-q", "-", stdin="a: [").err


def test_a_fault_of_mngen_leaves_a_report_and_no_traceback(mngen, manifest, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken(*_: object) -> None:
        raise RuntimeError("wires\ncrossed")

    monkeypatch.setattr(pipeline, "load", broken)
    result = mngen("validate", manifest)
    assert result.status == 4
    assert result.err.startswith("internal error: RuntimeError: wires\nhint: this is a fault of mngen")
    (report,) = tmp_path.glob("mngen-report-*.txt")
    assert str(report) in result.err
    text = report.read_text()
    assert "command: mngen validate job.yaml" in text
    assert "RuntimeError: wires" in text
    assert report.stat().st_mode & 0o077 == 0


def test_endless_recursion_is_a_fault_like_any_other(mngen, manifest, monkeypatch) -> None:
    def deeper(*arguments: object) -> object:
        return deeper(*arguments)

    monkeypatch.setattr(pipeline, "load", deeper)
    assert mngen("validate", manifest).status == 4


def test_an_interrupt_is_status_130(mngen, manifest, monkeypatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "load", interrupted)
    result = mngen("validate", manifest)
    assert (result.status, result.err.strip()) == (130, "interrupted")


def test_a_real_interrupt_is_status_130() -> None:
    # A shell's background jobs ignore the signal, and so would this process.
    code = "import signal, sys, mngen.cli.app; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "sys.exit(mngen.cli.app.run(['validate', '-']))"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        # More than a pipe holds: once it is written, the command is past its imports and reads.
        process.stdin.write(b"#" * 200_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.decode().strip() == "interrupted"


@pytest.mark.parametrize("command", [["schema"], ["explain"], ["show", "job.yaml", "--format", "json"]])
def test_a_closed_pipe_is_quiet(manifest, command) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([*MNGEN, *command], stdout=writing, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("environment", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colour_follows_the_environment(environment, terminal, expected) -> None:
    assert wants_color(environment, is_terminal=terminal) is expected


@pytest.mark.parametrize(
    ("arguments", "variable", "colored"),
    [
        (["validate", "-"], None, False),
        (["validate", "-"], "FORCE_COLOR", True),
        (["--color", "always", "validate", "-"], None, True),
        (["validate", "--color", "always", "-"], "NO_COLOR", True),
        (["validate", "--color", "never", "-"], "FORCE_COLOR", False),
    ],
)
def test_the_option_wins_over_the_environment(mngen, monkeypatch, arguments, variable, colored) -> None:
    if variable:
        monkeypatch.setenv(variable, "1")
    assert ("\x1b[" in mngen(*arguments, stdin="a: [").err) is colored


def test_a_terminal_gets_colours_and_no_tar(manifest) -> None:
    leader, follower = pty.openpty()
    try:
        done = subprocess.run(
            [*MNGEN, "render", "--no-lint", "job.yaml", "-o", "-"], stdout=follower, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(follower)
        os.close(leader)
    assert done.returncode == 2
    assert b"not for terminals" in done.stderr


def test_notes_are_told_once_and_to_who_can_use_them(mngen) -> None:
    text = (
        "apiVersion: mngen/v1\nname: job\ndriver: {command: x}\nresources: {gpus: 8, cpus: 96, gpu_type: h100}\n%s\n"
        "targets: {a: {kind: skypilot}, b: {kind: skypilot}, c: {kind: slurm, slurm: {partition: gpu}}}\n"
    )
    Path("job.yaml").write_text(text % "network: {cidr: 10.0.0.0/8}")
    idle = "note[MN250]: network.cidr has no effect on targets a, b: "
    assert "note" not in mngen("validate", "--no-lint", "job.yaml").err
    assert mngen("validate", "--no-lint", "-v", "job.yaml").err.count(idle) == 1
    Path("job.yaml").write_text(text % "host_setup: module load x")
    told = "note[MN250]: host_setup has no effect on targets a, b: "
    assert mngen("render", "--no-lint", "job.yaml").err.count(told) == 1
    for command in (("render", "--check"), ("diff",)):
        assert "note" not in mngen(*command, "--no-lint", "job.yaml").err
        assert mngen(*command, "--no-lint", "-v", "job.yaml").err.count(told) == 1
    assert "note" not in mngen("validate", "--no-lint", "-q", "job.yaml").err
