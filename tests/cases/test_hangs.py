"""Bug cases about what never comes or never ends (B65): nothing of it may hold the nodes until the time limit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generated import DRIVER, functions, render

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
CLUSTER = Path(__file__).resolve().parents[2] / "templates" / "shell" / "cluster.py"
BATCH = """
SLURM_JOB_ID=1 SLURM_SUBMIT_DIR=/ SLURM_JOB_NODELIST=n[1-2] NODES=2 IP_VERSIONS=(4) PORT_BLOCK=1
declare -A REASONS=([75]='not formed' [76]=died [77]=check [78]=setting [143]=cancelled)
say() { :; }
fail() { echo "$1 ${*:2}"; exit "$1"; }
scontrol() { printf 'n1\\nn2\\n'; }
address_towards() { echo 192.0.2.1; }
take_ports() { :; }
rm() { [[ $1 == -rf ]] && command rm -rf -- /tmp/mngen-1-0; }
set -Eeuo pipefail
batch
"""
ENGINE = """#!/usr/bin/env bash
engine=$(PATH=${{PATH#*:}}; type -P {0})
for word; do
  shift
  [[ ${{word}} != /tmp/mngen-*:* ]] || word=/elsewhere${{word}}
  set -- "$@" "${{word/source=/source=/elsewhere}}"
done
exec "${{engine}}" "$@"
"""


def images(sim: Cluster, runtime: str) -> dict[str, Any]:
    """A target of a runtime, with the image that it needs."""
    (sim.work / "image.sif").touch()
    image = {"none": {}, "apptainer": {"image": {"sif": str(sim.work / "image.sif")}}}
    return {
        "targets": {"job": {"kind": "slurm", "runtime": runtime, **image.get(runtime, {"image": {"ref": "a/b:1"}})}}
    }


def batch(tmp_path: Path, srun: str, *, before: str = "") -> tuple[int, str]:
    """How the batch shell alone ends, with a program in place of ``srun``."""
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin/srun"
    tool.write_text(f"#!/usr/bin/env bash\n{srun}\n")
    tool.chmod(0o755)
    text = functions("none", "running", "receive", "batch", "finish", "verdict") + before + BATCH
    text = text.replace("/tmp/mngen-${JOB_ID}", f"{tmp_path}/mngen-${{JOB_ID}}").replace(
        "/tmp/mngen-1-0", f"{tmp_path}/mngen-1-0"
    )
    script = tmp_path / "job.sh"
    script.write_text(text.replace("{1..300}", "{1..10}"))
    env = {"PATH": f"{tmp_path}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/"}
    done = subprocess.run(
        ["bash", script], env=env, capture_output=True, text=True, timeout=20, check=False, cwd=tmp_path
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("status", [75, 76, 77])
def test_b65_a_head_that_failed_ends_the_job_though_a_node_cannot_end(tmp_path: Path, status: int) -> None:
    """A process that waits for a lost file system or GPU ends by no signal, and srun waits for it."""
    hangs = f"trap '' TERM USR2\nln -s {status} \"${{JOB_DIR}}/head.status\"\nexec sleep 60"
    found, said = batch(tmp_path, hangs)
    assert found == status
    assert f'"status": {status}' in said
    assert not (tmp_path / "mngen-1-0").exists()


def test_b65_a_step_that_srun_could_not_start_is_no_part_that_died(tmp_path: Path) -> None:
    found, said = batch(tmp_path, "echo 'srun: error: Unable to create step for job 1' >&2; exit 1")
    assert (found, '"reason": "not formed"' in said) == (75, True)


def test_b65_a_step_that_lost_a_node_later_is_a_part_that_died(tmp_path: Path) -> None:
    found, said = batch(tmp_path, ': >"${JOB_DIR}/ray.log"; exit 1')
    assert (found, '"reason": "died"' in said) == (76, True)


@pytest.mark.parametrize("runtime", ["none", "apptainer", "docker"])
def test_b65_an_import_of_ray_that_hangs_ends_the_job(cluster: Make, runtime: str) -> None:
    """As from a file system that does not answer: the program's own deadline begins only after the import."""
    sim = cluster()
    script = render(sim, {"ray": {"ready_timeout": 2}, **images(sim, runtime)}) / "job.sbatch"
    # The hang itself: longer than the job may take here, and its end is what is tested.
    text, found = re.subn(r"^import ray$", "time.sleep(50)", script.read_text(), flags=re.MULTILINE)
    assert found == 1
    text, found = re.subn(r"READY_TIMEOUT \+ 60\)", "READY_TIMEOUT)", text)
    assert found == 1
    script.write_text(text)
    done = sim.sbatch(script, timeout=40)
    assert (done.status, done.leftovers) == (75, []), done.log
    assert "node1: ERROR: what counts nodes hangs" in done.log


@pytest.mark.parametrize("runtime", ["apptainer", "docker", "podman"])
def test_b65_a_heads_container_that_is_stopped_from_outside_ends_the_job(cluster: Make, runtime: str) -> None:
    """It ends with 0, which srun takes for a node that has done its work, while the others wait for the head."""
    sim = cluster()
    stopped = "[[ ${NODE_RANK} != 0 ]] || kill -TERM $$\n"
    script = render(sim, {"setup": stopped, **images(sim, runtime)}) / "job.sbatch"
    script.write_text(script.read_text().replace("read -rt 9", "read -rt 1"))
    done = sim.sbatch(script, timeout=40)
    assert (done.status, done.leftovers) == (76, []), done.log
    assert "node1: ERROR: the container has ended" in done.log


@pytest.mark.parametrize("runtime", ["docker", "podman"])
def test_b65_an_engine_that_sees_another_tmp_refuses_the_job(cluster: Make, runtime: str) -> None:
    """Where each job has a /tmp of its own, Docker's service has the node's; an empty folder there would hold nothing."""
    sim = cluster(nodes=1)
    engine = sim.work / runtime
    engine.write_text(ENGINE.format(runtime))
    engine.chmod(0o755)
    own = {"host_setup": f"PATH={sim.work}:${{PATH}}\n"}
    done = sim.sbatch(render(sim, {**own, **images(sim, runtime)}) / "job.sbatch", timeout=40)
    assert (done.status, done.leftovers) == (78, []), done.log
    assert "bind source path does not exist: /elsewhere" in done.log


RAY = """
from pathlib import Path
class exceptions:
    class RayError(Exception): pass
asked = 0
def is_initialized(): return True
def nodes():
    global asked
    asked += 1
    if asked in (1, 3, 4): raise FAILURE
    return [{"NodeName": "n1", "Resources": {}, "Alive": asked < 6}]
"""


@pytest.mark.parametrize(
    "failure", ["ConnectionError()", "RuntimeError()", "exceptions.RayError()"], ids=["connection", "runtime", "ray"]
)
def test_b65_a_head_that_is_too_busy_to_answer_once_is_not_lost(tmp_path: Path, failure: str) -> None:
    """A job of days may not end over one call; a head that is lost is seen by its process, and by those of the workers."""
    (tmp_path / "ray.py").write_text(RAY.replace("FAILURE", failure))
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    # The program's own pause between two questions, shorter, so that six of them take no seconds.
    text = CLUSTER.read_text().replace("time.sleep(2 if complete else 0.5)", "time.sleep(0.1)")
    words = ["192.0.2.1:1", str(tmp_path / "ready"), "1", "0", "5", "fail", "n1"]
    done = subprocess.run(
        [sys.executable, "-c", text, *words], env=env, capture_output=True, text=True, check=False, timeout=20
    )
    assert (done.returncode, done.stderr) == (76, "")
    assert done.stdout.splitlines() == [
        "1 of 1 nodes, 0 of 0 GPUs; missing: none",
        "0 of 1 nodes, 0 of 0 GPUs; missing: n1",
    ]


@pytest.mark.parametrize("then", ["stop", "requeue"])
@pytest.mark.parametrize("value", ["1", "04:00:00", "no number"])
def test_b58_no_variable_of_the_submitting_shell_is_the_jobs_own(cluster: Make, value: str, then: str) -> None:
    """sbatch hands over the user's environment: names like TIME_LIMIT may stand for something else there."""
    sim = cluster()
    limit = {"signal": "USR1", "before": 60, "then": then}
    fields: dict[str, Any] = {
        "on_time_limit": limit,
        "retry": {"exit_codes": [76]},
        "slurm": {"time": 60},
        "driver": DRIVER,
        "logs": {"driver": "train.log"},
    }
    script = render(sim, fields) / "job.sbatch"
    own = set(re.findall(r"\b([A-Z][A-Z_]+)=", script.read_text()))
    own -= {"PATH", "HOME", "TMPDIR", "PYTHONUNBUFFERED"}
    assert {"JOB_DIR", "PORT_LOCK", "DRIVER_PID", "STEP_ENDED"} <= own
    assert ("TIME_LIMIT" in own) is (then == "requeue")
    done = sim.sbatch(script, env=dict.fromkeys(sorted(own), value), timeout=40)
    assert (done.status, done.job["restarts"]) == (0, 0), done.log
    assert done.log.count("mngen-verdict") == 1
