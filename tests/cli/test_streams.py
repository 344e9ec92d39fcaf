"""Standard streams that are closed, full, or whose reader has left; files that never end."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mngen.manifest.characters import MOST_BYTES

MNGEN = f"{sys.executable} -m mngen"
BAD = "Bad file descriptor\n"
FULL = "No space left on device\n"
CASES = {
    "data, closed": ("schema >&-", 3, f"error: cannot write to standard output: {BAD}"),
    "version, closed": ("--version >&-", 3, f"error: cannot write to standard output: {BAD}"),
    "help, closed": ("--help >&-", 3, f"error: cannot write to standard output: {BAD}"),
    "input, closed": ("validate - <&-", 3, f"error: cannot read `<stdin>`: {BAD}"),
    "words, closed": ("validate --no-lint broken.yaml 2>&-", 1, ""),
    "nothing to write, closed": ("render -q job.yaml >&-", 0, ""),
    "all closed": ("render --no-lint job.yaml <&- >&- 2>&-", 0, ""),
    "data, full": ("schema >/dev/full", 3, f"error: cannot write to standard output: {FULL}"),
    "help, full": ("--help >/dev/full", 3, f"error: cannot write to standard output: {FULL}"),
    "words, full": ("validate --no-lint broken.yaml 2>/dev/full", 1, ""),
    "help, no reader": ("--help >&9", 0, ""),
    "help of a command, no reader": ("render --help >&9", 0, ""),
    "data, no reader": ("show job.yaml --format json >&9", 0, ""),
    "differences, no reader": ("diff --no-lint -q job.yaml -o none >&9 2>&9", 1, ""),
    "what would be written, no reader": ("render --no-lint --dry-run --check -q job.yaml -o none >&9 2>&9", 1, ""),
    "differences of two, no reader": ("render --no-lint --check --diff -q job.yaml two.yaml -o none >&9 2>&9", 1, ""),
    "findings as data, no reader": ("validate --no-lint --format json broken.yaml >&9", 1, ""),
    "findings for GitHub, no reader": ("validate --no-lint --format github broken.yaml >&9", 1, ""),
    "a version, no reader": ("--version >&9", 0, ""),
    "words, no reader": ("validate --no-lint broken.yaml 2>&9", 1, ""),
    "usage, no reader": ("frob 2>&9", 2, ""),
}


@pytest.mark.parametrize("case", CASES)
def test_a_stream_that_takes_nothing_is_told_in_a_line_or_in_the_status(manifest, case) -> None:
    command, status, words = CASES[case]
    Path("broken.yaml").write_text("a: [")
    Path("two.yaml").write_text(Path("job.yaml").read_text().replace("name: job", "name: two"))
    reading, writing = os.pipe()
    os.close(reading)
    script = f"exec 9>&{writing}; {MNGEN} {command}"
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        pass_fds=[writing],
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", words)


def test_a_command_whose_reader_has_left_does_the_rest_of_its_work(capfdbinary) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    code = "import mngen.cli.ui as u; ui = u.Ui(); ui.data('a' * 99999); ui.data('b'); ui.problem('did all')"
    subprocess.run([sys.executable, "-c", code], stdout=writing, check=True)
    os.close(writing)
    assert capfdbinary.readouterr().err == b"did all\n"


@pytest.mark.parametrize("option", ["--no-lint", "--help"])
def test_a_pipe_that_breaks_elsewhere_is_no_success(mngen, manifest, monkeypatch, option) -> None:
    def breaks(*_: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr("mngen.cli.validate.render_all", breaks)
    result = mngen("validate", manifest, option)
    assert result.status == (0 if option == "--help" else 3)
    assert (result.err == "error: Broken pipe\n") is (option != "--help")


def test_a_site_file_that_never_ends_is_a_finding(mngen, manifest) -> None:
    text = Path(manifest).read_text().replace("first: {kind: slurm", "first: {kind: slurm, site: site.yaml")
    Path(manifest).write_text(text)
    os.mkfifo("site.yaml")
    assert "`site.yaml` cannot be read: it is not a regular file" in mngen("validate", manifest).err
    Path("site.yaml").unlink()
    Path("site.yaml").symlink_to("/dev/zero")
    assert "`site.yaml` cannot be read: it is not a regular file" in mngen("validate", manifest).err
    Path("site.yaml").unlink()
    Path("site.yaml").mkdir()
    assert "`site.yaml` cannot be read: it is a folder" in mngen("validate", manifest).err
    Path("site.yaml").rmdir()
    Path("site.yaml").write_bytes(b"#" * (MOST_BYTES + 1))
    result = mngen("validate", manifest)
    assert result.status == 1
    assert f"error[MN113]: the site file `site.yaml` cannot be read: it has more than {MOST_BYTES} bytes" in result.err


def test_an_overlay_may_be_a_pipe_and_has_an_end(manifest) -> None:
    script = f"{MNGEN} validate --no-lint -q job.yaml --overlay"
    given = subprocess.run(
        ["bash", "-c", f"{script} <(echo 'env: {{B: x}}')"], capture_output=True, text=True, check=False
    )
    assert (given.returncode, given.stderr) == (0, "")
    endless = subprocess.run(["bash", "-c", f"{script} /dev/zero"], capture_output=True, text=True, check=False)
    assert endless.returncode == 1
    assert "error[MN107]: the file has " in endless.stderr


def test_completion_does_not_wait_for_a_pipe(manifest) -> None:
    os.mkfifo("pipe.yaml")
    code = "import sys; from mngen.cli.completing import target_names as t; print(t(['pipe.yaml', 'job.yaml'], 'f'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "['first']\n"


WRITERS = ("schema", "explain MN101", "explain image", "render --no-lint -q job.yaml -o -", "render --help")
WRITERS += ("render --no-lint -q job.yaml -o - --file first/job.sbatch", "show job.yaml --format json", "--help")
WRITERS += ("validate --no-lint broken.yaml --format json", "completion bash")


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("command", WRITERS)
def test_output_that_finds_no_room_for_its_end_is_no_success(manifest, command, unbuffered) -> None:
    """A file that may have so many bytes takes a part of what is written to it at once, and refuses the next."""
    Path("broken.yaml").write_text("a: [\n" + "# x\n" * 400)
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    whole = subprocess.run(["bash", "-c", f"{MNGEN} {command}"], capture_output=True, env=env, check=False)
    assert len(whole.stdout) > 99, whole.stderr
    room = len(whole.stdout) - 1
    code = "import resource, sys, os; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0})); "
    code = code.format(room) + "import runpy; runpy.run_module('mngen', run_name='__main__')"
    with Path("part").open("wb") as part:
        words = [sys.executable, "-B", "-c", code, *command.split()]
        done = subprocess.run(words, stdout=part, stderr=subprocess.PIPE, env=env, check=False)
    assert Path("part").stat().st_size <= room
    assert (done.returncode, done.stderr[-15:]) == (3, b"File too large\n"), done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize(("command", "stream"), [("schema", 1), ("explain", 1), ("validate --no-lint broken.yaml", 2)])
def test_a_pipe_that_does_not_block_gets_all(manifest, command, stream, unbuffered) -> None:
    lines = "".join(f"  t{number}: {{kind: slurm, frob{number}: x}}\n" for number in range(900))
    Path("broken.yaml").write_text(f"apiVersion: mngen/v1\nname: job\ndriver: {{command: x}}\ntargets:\n{lines}")
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    words = [*MNGEN.split(), *command.split()]
    done = subprocess.run(words, capture_output=True, env=env, check=False)
    whole = done.stdout if stream == 1 else done.stderr
    assert len(whole) > (1 << 16 if command != "explain" else 99)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    streams = {"stdout": writing} if stream == 1 else {"stderr": writing, "stdout": subprocess.DEVNULL}
    running = subprocess.Popen(words, env=env, **streams)
    os.close(writing)
    time.sleep(1)  # the pipe is full by then, if it can be: nothing tells a reader so
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == whole
    assert running.wait(20) == done.returncode
