"""A Ray job that somebody stops ends the cluster, whether or not its driver has begun; its client's end does not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SHELL = Path(__file__).resolve().parents[2] / "templates/shell"
RAY = """#!/usr/bin/env bash
[[ $2 == submit ]] || { echo "Job '${@: -1}' was stopped" && exit 0; }
echo "$@" >>calls
pid() { readlink "${JOB_DIR}/driver.$1"; }
case ${HOW} in
  pending) ;;
  killed) bash "${@: -1}" & sleep 1; kill -KILL "$(pid shell)" "$(pid pid)" ;;
  stopped) bash "${@: -1}" & sleep 1; kill -TERM "$(pid shell)"; wait ;;
  no-wait) (sleep 2; bash "${@: -1}") & ;;
  breaks) bash "${@: -1}" & sleep 1; echo "the connection was lost"; exit 1 ;;
  fails) exit 4 ;;
esac
exit 0
"""
SCRIPT = """
say() { echo "$*"; }
fail() { echo "$*" && exit 76; }
dashboard_is_missing() { return 1; }
RAY=(ray) JOB_NAME=a JOB_ID=1 ATTEMPT=0 LOOPBACK=127.0.0.1 DASHBOARD_PORT=1 JOB_OPTIONS=()
DRIVER=(bash -c "${WORDS}")
"""


@pytest.mark.parametrize(
    ("how", "words", "status"),
    [
        ("pending", "sleep 8", 143),
        ("killed", "sleep 8", 143),
        ("stopped", "sleep 8", 143),
        ("no-wait", "sleep 2; exit 5", 5),
        ("fails", "true", 4),
        ("breaks", "sleep 3; exit 5", 5),
        ("breaks", "sleep 3", 0),
        ("breaks", "exit 6", 6),
        ("breaks", "sleep 2; kill -KILL $(readlink $JOB_DIR/driver.shell); exec sleep 8", 1),
    ],
)
def test_its_end_is_seen(tmp_path: Path, how: str, words: str, status: int) -> None:
    (tmp_path / "ray").write_text(RAY if how != "no-wait" else RAY.replace("was stopped", "is RUNNING"))
    (tmp_path / "ray").chmod(0o755)
    modules = "\n".join((SHELL / f"{name}.sh").read_text() for name in ("parts", "host_port", "run_ray_job"))
    text = f"set -Eeuo pipefail\n{modules}\n{SCRIPT}\nrun_driver\n"
    env = {"PATH": f"{tmp_path}:/usr/sbin:/usr/bin:/sbin:/bin", "JOB_DIR": str(tmp_path), "HOW": how, "WORDS": words}
    done = subprocess.run(
        ["bash", "-c", text], env=env, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "driver.status").readlink() == Path(str(status)), done.stdout + done.stderr
