"""Bug cases about starting, watching and ending (B62 to B75)."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest
from generated import render
from plain import PlainJob, functions, job_file, ray_starts

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]


def test_b62_a_late_head_is_waited_for(cluster: Make) -> None:
    sim = cluster(faults={"node1": {"ray_start_delay": 2}, "*": {"driver": {"connect": True}}})
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert done.status == 0, done.log
    head, worker = ray_starts(sim)
    assert worker["time"] - head["time"] > 2, "the worker's Ray must not start before the head listens"


@pytest.mark.parametrize("runtime", ["none", "docker"])
def test_b62_a_head_that_gets_ready_for_longer_than_the_others_wait_is_waited_for(cluster: Make, runtime: str) -> None:
    """Its setup is slow, or its image comes late: the time that the cluster has begins with the head's own Ray."""
    sim = cluster(faults={"*": {"driver": {"connect": True}}})
    image = {} if runtime == "none" else {"image": {"ref": "example/image:1"}}
    slow = "[[ ${NODE_RANK} != 0 ]] || sleep 5\n"
    fields = {
        "setup": slow,
        "ray": {"ready_timeout": 2},
        "targets": {"job": {"kind": "slurm", "runtime": runtime, **image}},
    }
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 0, done.log


def test_b62_a_head_that_never_comes_ends_the_job(cluster: Make) -> None:
    sim = cluster(faults={"node1": {"ray_start_delay": 60}})
    done = sim.sbatch(render(sim, {"ray": {"ready_timeout": 1}}) / "job.sbatch")
    assert done.status == 75
    assert re.search(r"node\d: ERROR: no head at 10\.77\.0\.1:\d+ in time", done.log)
    assert sim.records("driver") == []


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"gpu_tools": (), "gpu_env": ("UNUSED",)}, "0"),
        ({"gpu_env": ("UNUSED",), "faults": {"*": {"gpus": 0}}}, "0"),
        ({"faults": {"*": {"gpus": 1}}}, "1"),
    ],
)
def test_b64_gpus_that_nobody_lists_are_counted_as_one_number(
    cluster: Make, options: dict[str, Any], count: str
) -> None:
    sim = cluster(nodes=1, gpus=2, **options)
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert done.status == 77
    assert f"node1: ERROR: {count} of 2 GPUs here; leave out node1" in done.log
    assert "integer expression" not in done.log


def test_b64_nodes_are_counted_from_none_to_all(cluster: Make) -> None:
    sim = cluster(faults={"node2": {"ray_never_join": True}})
    done = sim.sbatch(render(sim, {"ray": {"ready_timeout": 2}}) / "job.sbatch")
    assert done.status == 75
    counts = [line for line in done.log.splitlines() if " nodes, " in line]
    assert "1 of 2 nodes, 0 of 0 GPUs; missing: node2" in counts
    assert all(re.search(r"[012] of 2 nodes, 0 of 0 GPUs", line) for line in counts)


def test_b64_all_are_counted_when_all_are_there(plain_job: PlainJob) -> None:
    assert "gpu-a: 2 of 2 nodes, 4 of 4 GPUs" in plain_job.done.log


@pytest.mark.parametrize("node", ["node1", "node2"])
def test_b65_a_ray_that_does_not_start_ends_the_job_by_name(cluster: Make, node: str) -> None:
    sim = cluster(faults={node: {"ray_start_exit": 1}})
    start = time.monotonic()
    done = sim.sbatch(render(sim, {}) / "job.sbatch", timeout=30)
    assert done.status == 76
    assert f"ray has ended on {node}" in done.log
    assert "ray start: told to fail" in done.log
    assert time.monotonic() - start < 30
    assert done.leftovers == []


def test_b65_a_service_that_dies_ends_the_job_by_name(cluster: Make) -> None:
    sim = cluster(faults={"node2": {"service": {"exit": 1, "die_after": 0.5}}, "*": {"driver": {"sleep": 60}}})
    service = {"command": ["sim-service", "--port", "${{ services.side.port }}"], "port": "auto", "on": "every-node"}
    done = sim.sbatch(render(sim, {"services": {"side": service}}) / "job.sbatch", timeout=30)
    assert done.status == 76
    assert "side has ended on node2; its last lines are above" in done.log
    assert done.leftovers == []


def test_b66_the_job_ends_with_the_driver_and_its_status(plain_job: PlainJob) -> None:
    assert (plain_job.done.status, plain_job.done.leftovers) == (7, []), plain_job.done.log
    verdict = 'mngen-verdict {"job": "1000", "attempt": 0, "status": 7, "reason": "driver"}'
    assert verdict in plain_job.done.log.splitlines()


def test_b66_a_driver_that_succeeds_ends_all_nodes(cluster: Make) -> None:
    sim = cluster()
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert (done.status, done.state, done.leftovers) == (0, "COMPLETED", []), done.log
    assert [sim.left(name) for name in sim.names] == [[], []]


@pytest.mark.parametrize("how", [(), ("--batch", "--signal=TERM"), ("--batch", "--signal=INT")])
def test_b70_a_signal_stops_everything_that_was_started(cluster: Make, how: tuple[str, ...]) -> None:
    sim = cluster(kill_wait=8.0, faults={"*": {"driver": {"sleep": 60}}})
    job = sim.submit(render(sim, {}) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    job.cancel(*how)
    done = job.wait()
    assert (done.status, done.leftovers) == (143, []), done.log
    assert '"reason": "cancelled"}' in done.log
    assert [sim.left(name) for name in sim.names] == [[], []]


def test_b70_what_is_told_to_end_is_told_once(cluster: Make) -> None:
    """A second TERM is an order to end at once for some programs, and comes in the middle of a handler for others."""
    sim = cluster(nodes=1)
    text = (render(sim, {}) / "job.sbatch").read_text()
    counts = "import signal, time\nsignal.signal(15, lambda *_: print('told', flush=True))\nprint('up', flush=True)\n"
    start = f"setsid python3 -c {shlex.quote(counts + 'while True: time.sleep(9)')}"
    body = f"""NODE_NAME=n NODE_RANK=0 DRIVER_PID='' JOB_DIR=$PWD/job BATCH_PID=0 PORT_LOCK=''
        kill() {{ builtin kill "$@" && {{ [[ $1 != -TERM ]] || sleep 0.3; }}; }}
        {start} >said & PART_PID[x]=$!
        until [[ -s said ]]; do sleep 0.1; done
        leave 0"""
    done = sim.run(["bash", "-c", functions(text) + body], node="node1", timeout=20)
    assert done.status == 0, done.stderr
    assert (sim.work / "said").read_text().split() == ["up", "told"]


@pytest.mark.parametrize("moment", ["leave", "leave_host", "finish"])
def test_b70_a_signal_at_the_very_end_does_not_keep_it_from_cleaning_up(cluster: Make, moment: str) -> None:
    """Slurm, a runtime and a person may each send one; the second used to end what the first had begun."""
    sim = cluster(kill_wait=8.0)
    runtime = {"runtime": "apptainer", "image": {"sif": "image.sif"}} if moment == "leave_host" else {}
    script = render(sim, {"targets": {"job": {"kind": "slurm", **runtime}}}) / "job.sbatch"
    once = r'\g<0> [[ -n ${HIT-} ]] || { HIT=1; kill -TERM "${BASHPID}"; }'
    text, found = re.subn(rf"(?m)^{moment}\(\) {{$", once, script.read_text())
    assert found == 1
    script.write_text(text)
    done = sim.sbatch(script, timeout=30)
    assert done.leftovers == [], done.log
    assert [sim.left(name) for name in sim.names] == [[], []]
    assert done.log.count("mngen-verdict ") == 1


@pytest.mark.parametrize("everyone", [True, False])
def test_b70_a_node_that_is_told_to_end_before_it_began_hides_no_reason(cluster: Make, *, everyone: bool) -> None:
    """What a killed node ends with would count for more than the status of a failed check (_task_finish in srun)."""
    sim = cluster(nodes=1)
    text = (render(sim, {}) / "job.sbatch").read_text()
    receive = re.search(r"^receive\(\) {\n.*?^}\n", text, re.MULTILINE | re.DOTALL)
    assert receive
    variables = {**os.environ, "SLURM_NODEID": "0", "JOB_DIR": str(sim.work)}
    argv = ["bash", "-c", f"{receive[0]} receive"]
    with subprocess.Popen(argv, env=variables, stdin=subprocess.PIPE, start_new_session=True) as node:
        sim.wait_for((sim.work / "job.sh").exists)
        reader = subprocess.run(["pgrep", "-P", str(node.pid)], capture_output=True, text=True, check=True).stdout
        if everyone:
            os.killpg(node.pid, signal.SIGTERM)
        else:  # as Slurm ends a step: one process after the other
            os.kill(int(reader), signal.SIGTERM)
        assert node.wait(10) == 0


@pytest.mark.parametrize("failing", ["node1", "node2"])
@pytest.mark.parametrize("runtime", ["none", "apptainer"])
def test_b70_a_node_that_fails_before_the_others_begin_gives_the_reason(
    cluster: Make, runtime: str, failing: str
) -> None:
    """Of many nodes some begin seconds later; one that is killed before it hears anything ends by a signal."""
    late = "node2" if failing == "node1" else "node1"
    sim = cluster(gpus=2, faults={failing: {"gpus": 1}, late: {"task_delay": 2}})
    (sim.work / "image.sif").touch()
    image = {} if runtime == "none" else {"image": {"sif": str(sim.work / "image.sif")}}
    manifest = {"targets": {"job": {"kind": "slurm", "runtime": runtime, **image}}}
    done = sim.sbatch(render(sim, manifest) / "job.sbatch", timeout=30)
    assert done.status == 77, done.log
    assert '"reason": "a node failed its check"' in done.log
    assert done.leftovers == [], done.log


@pytest.mark.parametrize(("runtime", "name"), [("none", "USR2"), ("apptainer", "TERM")])
def test_b70_a_command_that_is_told_to_end_before_its_node_hides_no_reason(
    cluster: Make, runtime: str, name: str
) -> None:
    """Slurm tells the processes of a step one by one, and the head's may come before the head."""
    sim = cluster(gpus=2, faults={"node2": {"gpus": 1}})
    (sim.work / "image.sif").touch()
    image = {} if runtime == "none" else {"image": {"sif": str(sim.work / "image.sif")}}
    late = "[[ ${NODE_RANK} == 0 ]] || sleep 2"
    manifest = {"setup": late, "targets": {"job": {"kind": "slurm", "runtime": runtime, **image}}}
    script = render(sim, manifest) / "job.sbatch"
    told = f"{{ ((NODE_RANK > 0)) || sh -c 'kill -{name} $$'; sleep 1; }}"
    text, found = re.subn(re.escape("(trap '' TERM USR2 && exec sleep 0.5) || true"), told, script.read_text())
    assert found == 1
    script.write_text(text)
    done = sim.sbatch(script, timeout=30)
    assert done.status == 77, done.log
    assert "leave out node2" in done.log


def test_b70_traps_stand_before_anything_is_started(plain_job: PlainJob) -> None:
    _, _, batch = plain_job.text.partition("\nbatch() {\n")
    assert 0 < batch.index("trap 'finish $?' EXIT") < batch.index("trap 'CANCELLED=1; finish 143' TERM INT")
    assert batch.index("TERM INT") < batch.index("  srun ")


def test_b72_each_node_has_its_own_rank(plain_job: PlainJob) -> None:
    assert [(call["node"], call["env"]["NODE_RANK"]) for call in plain_job.starts()] == [("gpu-a", "0"), ("gpu-b", "1")]


def test_b73_a_copy_of_the_file_works_from_the_submit_folder(cluster: Make) -> None:
    sim = cluster(nodes=1)
    elsewhere = sim.home / "copy.sbatch"
    shutil.copyfile(render(sim, {"logs": {"driver": "train.log"}}) / "job.sbatch", elsewhere)
    done = sim.sbatch(elsewhere)
    assert done.status == 0, done.log
    assert sim.records("driver")[0]["cwd"] == str(sim.work)
    assert "driver: started" in (sim.work / "logs" / "train-1-0.log").read_text()


def test_b73_a_work_folder_is_taken_and_a_missing_one_is_named(cluster: Make) -> None:
    sim = cluster(nodes=1)
    (sim.work / "in here").mkdir()
    done = sim.sbatch(render(sim, {"workdir": f"{sim.work}/in here"}) / "job.sbatch")
    assert done.status == 0, done.log
    assert sim.records("driver")[0]["cwd"] == f"{sim.work}/in here"
    done = sim.sbatch(render(sim, {"workdir": f"{sim.work}/nowhere"}) / "job.sbatch")
    assert done.status == 78
    assert "ERROR: the workdir is missing" in done.log


def test_b73_the_drivers_files_are_as_open_as_the_submitters(cluster: Make) -> None:
    sim = cluster(nodes=1)
    (sim.work / "run.sh").write_text("umask >umask; : >made\n")
    done = sim.sbatch(render(sim, {"driver": {"command": ["sh", "run.sh"]}}) / "job.sbatch")
    assert done.status == 0, done.log
    assert (sim.work / "umask").read_text() == "0022\n"
    assert (sim.work / "made").stat().st_mode & 0o777 == 0o644


def test_b73_no_job_file_looks_for_its_own_folder(plain_job: PlainJob) -> None:
    assert "dirname" not in plain_job.text


def test_b75_ray_does_not_see_the_launchers_variables(cluster: Make) -> None:
    sim = cluster(nodes=1)
    prefixes = ["SLURM_", "PMI", "OMPI_"]
    text = render(sim, {"ray": {"unset_env_prefixes": prefixes}}) / "job.sbatch"
    done = sim.sbatch(text, env={"PMIX_RANK": "1", "OMPI_COMM": "2", "APMI": "3"})
    assert done.status == 0, done.log
    for call in [*ray_starts(sim), *sim.records("ray_worker")]:
        assert not [name for name in call["env"] if name.startswith(tuple(prefixes))]
        assert call["env"]["APMI"] == "3"
    (driver,) = sim.records("driver")
    assert {"SLURM_JOB_ID", "PMIX_RANK", "OMPI_COMM"} <= set(driver["env"])


def test_a_log_on_a_full_disk_does_not_change_how_a_process_ends() -> None:
    text = job_file()
    messages = "".join(line + "\n" for line in text.splitlines() if line.startswith(("say()", "fail()")))
    script = f"set -Eeuo pipefail\nNODE_NAME=node1\n{messages}exec 2>/dev/full\nsay one\nfail 77 two\n"
    assert subprocess.run(["bash", "-c", script], check=False).returncode == 77
