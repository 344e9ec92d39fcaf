"""A Ray job that somebody stops ends the cluster, whether or not its driver has begun; its client's end does not.

What the client does and what the server says is played; ``ray job status`` has the words of Ray's own
(dashboard/modules/job/cli.py).
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from generated import module

RAY = """#!/usr/bin/env bash
echo "${no_proxy-} ${NO_PROXY-}" >>proxies
[[ $2 == submit ]] || { printf "${SAYS}\\n" "${@: -1}" && exit "${ENDS:-0}"; }
echo "$@" >>calls
pid() { readlink "${JOB_DIR}/driver.$1"; }
case ${HOW} in
  pending) ;;
  killed) setsid bash "${@: -1}" & sleep 1; kill -KILL "$(pid shell)" "$(pid pid)" ;;
  stopped) setsid bash "${@: -1}" & sleep 1; kill -TERM "$(pid shell)"; wait ;;
  no-wait) setsid bash -c 'sleep 2; exec bash "$0"' "${@: -1}" & ;;
  breaks) setsid bash "${@: -1}" & sleep 1; echo "the connection was lost"; exit 1 ;;
  fails) exit 4 ;;
  too-early) setsid bash -c 'sleep 3; exec bash "$0"' "${@: -1}" & exit 1 ;;
  hangs) bash "${@: -1}"; exec sleep 60 ;;
esac
exit 0
"""
SCRIPT = """
say() { echo "$*"; }
fail() { echo "$*" && exit "$1"; }
dashboard_is_missing() { return 1; }
READY_TIMEOUT=9
RAY=(ray) JOB_NAME=a JOB_ID=1 ATTEMPT=0 LOOPBACK=127.0.0.1 DASHBOARD_PORT=1 JOB_OPTIONS=()
DRIVER=(bash -c "${WORDS}")
"""


STOPPED, PENDING, UNKNOWN = "Job '%s' was stopped", "Status for job '%s': PENDING", "Job %s does not exist."


def run(tmp_path: Path, how: str, words: str, says: str, text: str = SCRIPT) -> subprocess.CompletedProcess[str]:
    (tmp_path / "ray").write_text(RAY)
    (tmp_path / "ray").chmod(0o755)
    modules = module("parts", "host_port", "run_ray_job")
    modules = modules.replace("patience=60", "patience=4").replace("SECONDS + 60", "SECONDS + 4")
    env = {"PATH": f"{tmp_path}:/usr/sbin:/usr/bin:/sbin:/bin", "JOB_DIR": str(tmp_path), "HOW": how, "WORDS": words}
    return subprocess.run(
        ["bash", "-c", f"set -Eeuo pipefail\n{modules}\n{text}\nrun_driver\n"],
        env=env | {"SAYS": says},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize(
    ("how", "words", "says", "status"),
    [
        ("pending", "sleep 8", STOPPED, 143),
        ("killed", "sleep 8", STOPPED, 143),
        ("stopped", "sleep 8", STOPPED, 143),
        ("no-wait", "sleep 2; exit 5", PENDING, 5),
        ("no-wait", "sleep 2; exit 5", "no answer", 5),
        ("too-early", "sleep 2; exit 5", PENDING, 5),
        ("breaks", "sleep 3; exit 5", STOPPED, 5),
        ("breaks", "sleep 3", STOPPED, 0),
        ("breaks", "exit 6", STOPPED, 6),
        ("breaks", "sleep 2; kill -KILL $(readlink $JOB_DIR/driver.shell); exec sleep 8", STOPPED, 1),
        ("hangs", "exit 6", STOPPED, 6),
        ("hangs", "true", STOPPED, 0),
        ("hangs", "kill -KILL $(readlink $JOB_DIR/driver.shell)", STOPPED, 137),
    ],
)
def test_its_end_is_seen(tmp_path: Path, how: str, words: str, says: str, status: int) -> None:
    done = run(tmp_path, how, words, says)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "driver.status").readlink() == Path(str(status)), done.stdout + done.stderr


@pytest.mark.parametrize("says", [UNKNOWN, "no answer", "Job '%s' failed"])
def test_a_driver_that_never_began_has_no_status(tmp_path: Path, says: str) -> None:
    done = run(tmp_path, "fails", "true", says)
    assert done.returncode == 78, done.stdout + done.stderr
    assert "Ray did not start the driver" in done.stdout
    assert not (tmp_path / "driver.status").is_symlink()


def test_a_job_server_that_never_answers_is_named(tmp_path: Path) -> None:
    text = SCRIPT.replace("dashboard_is_missing() { return 1; }\n", "").replace("READY_TIMEOUT=9", "READY_TIMEOUT=1")
    done = run(tmp_path, "pending", "true", PENDING, text)
    assert done.returncode == 75, done.stdout + done.stderr
    assert "ray[default]" in done.stdout


def test_a_proxy_is_not_asked_for_the_nodes_own_server(tmp_path: Path) -> None:
    text = SCRIPT.replace("RAY=(ray)", "export http_proxy=http://192.0.2.1:9\nRAY=(ray)")
    done = run(tmp_path, "no-wait", "sleep 1", PENDING, text)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = (tmp_path / "proxies").read_text().splitlines()
    assert len(asked) > 1
    assert set(asked) == {"127.0.0.1 127.0.0.1"}
