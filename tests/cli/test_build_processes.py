"""``build-image`` and the programs that it starts: which files they find, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

BUILD = ["--variant", "cuda", "--secret", "id=netrc,src=/dev/null"]


def test_a_definition_is_built_in_the_manifests_folder_from_files_named_here(mngen, described, tmp_path) -> None:
    """Sources in a definition lie beside the manifest; what the command line names lies where one types it."""
    options = ["--cuda", "--builder", "apptainer", "--dry-run"]
    given = mngen("build-image", described, *options, "--secret", "id=netrc,src=keys/netrc").out
    bind = f"--bind {tmp_path}/keys/netrc:/run/secrets/netrc"
    definition, sif = "out/images/cuda/job.def", "out/images/cuda/job.sif"
    assert given == f"env -C job apptainer build --force {bind} {tmp_path}/{sif} {tmp_path}/{definition}\n"
    os.chdir("job")
    there = mngen("build-image", "m.yaml", *options).out
    assert there == f"apptainer build --force --bind FILE:/run/secrets/netrc {sif} {definition}\n"
    os.chdir("..")


APPTAINER = """\
while [ $# -gt 0 ]; do
  case $1 in
    --bind) echo "$2" >"${LOG}"; cat "${2%%:*}" >>"${LOG}" ; shift ;;
    *.part) echo sif >"$1" ;;
  esac
  shift
done
cat "$(dirname "$0")/../out/images/cuda/job.def" >/dev/null
cat m.yaml >>"${LOG}"
"""


@pytest.mark.parametrize("kind", ["secret", "certificates"])
def test_apptainer_reads_the_files_that_the_command_line_names(
    mngen, described, monkeypatch, tmp_path, kind, stub
) -> None:
    """Also where these are named from another folder than the manifest's, in which Apptainer runs."""
    name, option = (
        ("netrc", "--secret=id=netrc,src=keys/file") if kind == "secret" else ("ca-bundle", "--ca-bundle=keys/file")
    )
    described.write_text(described.read_text().replace("[netrc]", f"[{name}]"))
    Path("keys").mkdir()
    Path("keys/file").write_text("hush\n")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    assert mngen("render", "--no-lint", described).status == 0
    stub("apptainer", APPTAINER)
    result = mngen("build-image", described, "--cuda", "--builder", "apptainer", option)
    assert (result.status, result.out) == (0, "out/images/cuda/job.sif\n"), result.err
    bound, *read = Path("log").read_text().splitlines()
    assert bound == f"{tmp_path}/keys/file:/run/secrets/{name}"
    assert read == ["hush", *described.read_text().splitlines()]


@pytest.mark.parametrize("more", [[], ["--dry-run"]], ids=["build", "dry run"])
def test_apptainer_takes_no_secret_from_a_variable(mngen, described, monkeypatch, more) -> None:
    monkeypatch.setenv("N", "hush")
    result = mngen("build-image", described, "--cuda", "--builder", "apptainer", "--secret", "id=netrc,env=N", *more)
    assert result.status == 2
    assert "`--secret id=netrc,env=N`: Apptainer takes build secrets from files alone" in result.err
    assert "hint: " in result.err
    assert "id=netrc,src=FILE" in result.err


@pytest.mark.parametrize("run", ["--builder=apptainer", "--sif"])
def test_a_self_test_of_a_sif_takes_no_secret_from_a_variable(mngen, described, run) -> None:
    """With another builder for the image too: its SIF is made, and tested, by Apptainer."""
    tested = "  self_test: [{run: x, secrets: [token]}]\n"
    described.write_text(described.read_text().replace("  secrets: [netrc]\n", tested))
    result = mngen("build-image", described, "--cuda", run, "--secret", "id=token,env=N", "--dry-run")
    assert result.status == 2, result.out
    assert "`--secret id=token,env=N`: Apptainer takes build secrets from files alone" in result.err


SLOW = """\
[ "$2" = version ] || { echo $$ >pid; touch begun; while [ ! -e go-on ]; do sleep 0.1; done; }
echo v0.29.1
"""


@pytest.mark.parametrize(
    ("number", "ignored"),
    [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGHUP, False), (signal.SIGHUP, True)],
)
def test_a_build_that_is_told_to_end_says_so_in_its_status(mngen, described, stub, number, ignored) -> None:
    """128 and the signal's number, as of any program; what is ignored (by nohup) stays so."""
    assert mngen("render", "--no-lint", described).status == 0
    stub("docker", SLOW)
    how = "SIG_IGN" if ignored else "default_int_handler" if number is signal.SIGINT else "SIG_DFL"
    code = f"import runpy, signal; signal.signal({int(number)}, signal.{how}); "
    words = [sys.executable, "-c", code + "runpy.run_module('mngen', run_name='__main__')", "build-image", *BUILD]
    running = subprocess.Popen([*words, str(described)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not Path("begun").exists():
        assert running.poll() is None
        time.sleep(0.05)
    for _ in range(2):  # `timeout` tells the process and then its whole group
        running.send_signal(number)
        if number is signal.SIGINT:
            break
    if ignored:
        Path("go-on").touch()
    out, err = running.communicate(timeout=120)
    assert running.returncode == (0 if ignored else 128 + number), err
    assert bool(out) == ignored
    assert ("interrupted" if number is signal.SIGINT else f"ended by {number.name}") in err or ignored
    assert not Path(f"/proc/{Path('pid').read_text().strip()}").exists()
