"""The stand-ins for Slurm's programs; each behaviour was seen on Slurm 22.05.8 unless said otherwise."""

import time
from collections.abc import Callable

import pytest

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]

HEADER = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=1 --cpus-per-task=2 --output=out-%j.log\n"
SRUN = "srun --overlap --nodes=2 --ntasks=2 --ntasks-per-node=1 --cpus-per-task=2 "


def test_sbatch_runs_a_copy_in_the_submit_folder_with_the_arguments(cluster: Make) -> None:
    sim = cluster()
    body = 'printf "%s|" "$0" "$@" "$PWD" "$SLURM_JOB_NODELIST" "$SLURM_SUBMIT_DIR" "$SLURM_JOB_NUM_NODES"; hostname; exit 4\n'
    done = sim.sbatch(HEADER + body, "a b", "")
    assert (done.status, done.state) == (4, "FAILED")
    assert done.log == f"{sim.root}/spool/node1/job00001/slurm_script|a b||{sim.work}|node[1-2]|{sim.work}|2|node1\n"


@pytest.mark.parametrize(
    ("slurm", "options", "why"),
    [
        ("22.05", ["--bogus"], "unrecognized option"),
        ("22.05", ["--mem=1G", "--mem-per-cpu=1G"], "mutually exclusive"),
        ("22.05", ["--nodes=3"], "not available"),
        ("22.05", ["--gpus-per-node=9"], "not available"),
        ("22.05", ["--nodelist=node9"], "not available"),
        ("22.05", ["--segment=1"], "unrecognized option"),
        ("26.05", ["--gres=gpu:1", "--gpus-per-node=1"], "Invalid GRES"),
    ],
)
def test_sbatch_refuses(cluster: Make, slurm: str, options: list[str], why: str) -> None:
    sim = cluster(slurm=slurm, gpus=1)
    done = sim.submit(HEADER, options=tuple(options)).submitted
    assert done.status != 0
    assert why in done.stderr


def test_directives_stop_at_the_first_command_and_are_not_expanded(cluster: Make) -> None:
    sim = cluster()
    done = sim.sbatch("#!/bin/bash\n#SBATCH --job-name='a $HOME' # comment\necho $SLURM_JOB_NAME\n#SBATCH --bogus\n")
    assert done.log == "a $HOME\n"


@pytest.mark.parametrize(("slurm", "state"), [("22.05", "FAILED"), ("23.02", "COMPLETED")])
def test_a_missing_log_folder_fails_the_job_before_23_02(cluster: Make, slurm: str, state: str) -> None:
    sim = cluster(slurm=slurm)
    assert sim.sbatch("#!/bin/bash\n#SBATCH --output=nowhere/%j.log\n").state == state


def test_the_environment_of_sbatch_overrides_directives(cluster: Make) -> None:
    sim = cluster()
    done = sim.sbatch(
        "#!/bin/bash\n#SBATCH --job-name=script\necho $SLURM_JOB_NAME\n", env={"SBATCH_JOB_NAME": "inherited"}
    )
    assert done.log == "inherited\n"


def test_export_none_reaches_the_steps(cluster: Make) -> None:
    sim = cluster()
    body = (
        HEADER
        + "#SBATCH --export=NONE\nexport MINE=1\nsrun --overlap -n1 /bin/bash -c 'echo x${MINE-}'\nsrun --overlap -n1 --export=ALL /bin/bash -c 'echo y${MINE-}'\n"
    )
    done = sim.sbatch(body)
    assert done.log.splitlines()[-2:] == ["x", "y1"], done.log


def test_tasks_have_places_of_their_own_and_share_stdin(cluster: Make) -> None:
    sim = cluster(nodes=3)
    body = (
        HEADER.replace("nodes=2", "nodes=3")
        + "echo word | "
        + SRUN.replace("=2 --ntasks=2", "=3 --ntasks=3")
        + "--label bash -c 'cat; hostname; echo $SLURM_PROCID $SLURM_NODEID $SLURMD_NODENAME $SLURM_NNODES; find /tmp -maxdepth 1 -type f | wc -l; : >/tmp/$SLURM_PROCID'\n"
    )
    done = sim.sbatch(body)
    lines = sorted(done.log.splitlines())
    assert lines == sorted(
        f"{rank}: {text}"
        for rank in range(3)
        for text in ("word", f"node{rank + 1}", f"{rank} {rank} node{rank + 1} 3", "0")
    )


@pytest.mark.parametrize(
    ("name", "status", "seen"), [("USR1", 9, "got"), ("TERM", 137, "Killed"), ("HUP", 137, "Killed")]
)
def test_signals_to_srun(cluster: Make, name: str, status: int, seen: str) -> None:
    sim = cluster()
    body = (
        HEADER
        + SRUN
        + f"""bash -c 'trap "echo got; exit 9" {name}; echo ready; while :; do sleep 0.1; done' & p=$!
until [ "$(grep -c ready out-1.log)" = 2 ]; do sleep 0.05; done
kill -{name} $p; while kill -0 $p 2>/dev/null; do wait $p; rc=$?; done; exit $rc
"""
    )
    done = sim.sbatch(body)
    assert done.status == status, done.log
    assert done.log.count(seen) == 2


def test_the_tasks_of_a_killed_srun_are_killed(cluster: Make) -> None:
    sim = cluster()
    body = (
        HEADER
        + SRUN
        + """bash -c 'echo ready; trap "echo TERM" TERM; while :; do sleep 0.1; done' & p=$!
until [ "$(grep -c ready out-1.log)" = 2 ]; do sleep 0.05; done
kill -9 $p; sleep 0.5; echo over
"""
    )
    job = sim.submit(body)
    job.wait_log("over")
    done = job.wait()
    assert "TERM" not in done.log.replace("trap", "").splitlines()
    assert done.leftovers == []


def test_kill_on_bad_exit_terminates_the_others(cluster: Make) -> None:
    sim = cluster()
    inner = (
        'trap "echo told; exit 0" TERM; [ $SLURM_PROCID = 0 ] || { sleep 0.3; exit 9; }; while :; do sleep 0.1; done'
    )
    done = sim.sbatch(HEADER + SRUN + f"--kill-on-bad-exit=1 bash -c '{inner}'")
    assert done.status == 9
    assert "told" in done.log


def test_scancel_sends_term_everywhere_and_kill_after_a_while(cluster: Make) -> None:
    sim = cluster(kill_wait=0.7)
    body = (
        HEADER
        + """trap 'echo batch TERM' TERM
"""
        + SRUN
        + """bash -c 'trap "echo task TERM" TERM; echo ready; while :; do sleep 0.1; done' &
while kill -0 $! 2>/dev/null; do wait $!; done; sleep 9
"""
    )
    job = sim.submit(body)
    sim.wait_for(lambda: job.log().count("ready") == 2)
    start = time.monotonic()
    job.cancel()
    done = job.wait()
    assert done.state == "CANCELLED"
    assert done.log.count("task TERM") == 2
    assert done.log.count("batch TERM") == 1
    assert 0.5 < time.monotonic() - start < 3
    assert done.leftovers == []


def test_scancel_with_a_signal_reaches_steps_or_the_batch_shell(cluster: Make) -> None:
    sim = cluster()
    body = (
        HEADER
        + "trap 'echo batch' USR1\n"
        + SRUN
        + """bash -c 'trap "echo task" USR1; echo ready; for i in {1..12}; do sleep 0.1; done' &
while kill -0 $! 2>/dev/null; do wait $!; done
"""
    )
    job = sim.submit(body)
    sim.wait_for(lambda: job.log().count("ready") == 2)
    job.cancel("--batch", "--signal=USR1")
    job.wait_log("batch")
    assert "task" not in job.log()
    job.cancel("--signal=USR1")
    sim.wait_for(lambda: job.log().count("task\n") == 2)
    assert job.wait().log.count("batch") == 1


def test_a_killed_batch_shell_ends_its_steps(cluster: Make) -> None:
    sim = cluster(kill_wait=0.5)
    job = sim.submit(HEADER + SRUN + "bash -c 'trap \"echo told\" TERM; echo ready; while :; do sleep 0.1; done'\n")
    sim.wait_for(lambda: job.log().count("ready") == 2)
    job.kill_batch_shell()
    done = job.wait()
    assert (done.state, done.status) == ("FAILED", 137)
    assert done.log.count("told") == 2
    assert done.leftovers == []


def test_the_time_limit_warns_the_batch_shell_then_ends_the_job(cluster: Make) -> None:
    sim = cluster()
    body = (
        HEADER
        + "#SBATCH --signal=B:USR1@300\ntrap 'echo warned' USR1\ntrap 'echo ended; exit 0' TERM\nfor i in {1..99}; do sleep 0.1; done\n"
    )
    done = sim.sbatch(body, limit=(0.3, 0.8))
    assert done.state == "TIMEOUT"
    assert done.log.index("warned") < done.log.index("ended")


def test_requeue_runs_the_script_again_with_a_count(cluster: Make) -> None:
    sim = cluster()
    body = (
        HEADER.replace("out-%j.log", "out-%j.log --open-mode=append")
        + 'echo "attempt ${SLURM_RESTART_COUNT-none}"\n[ -n "${SLURM_RESTART_COUNT-}" ] || { scontrol requeue $SLURM_JOB_ID; sleep 9; }\n'
    )
    done = sim.sbatch(body)
    assert done.state == "COMPLETED"
    assert [line for line in done.log.splitlines() if "attempt" in line] == ["attempt none", "attempt 1"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--nodes=2 --ntasks=2 --bogus true", "unrecognized option"),
        ("--overlap --nodes=3 --ntasks=3 true", "not available"),
        ("--overlap --nodelist=node9 true", "not available"),
        ("--overlap --cpus-per-task=99 true", "not available"),
        ("--overlap --gres=none true", "Invalid generic resource"),
        ("--overlap", "No command"),
        ("--overlap --container-image=x true", "unrecognized option"),
    ],
)
def test_srun_refuses(cluster: Make, options: str, why: str) -> None:
    done = cluster().sbatch(HEADER + "srun " + options)
    assert done.status != 0
    assert why in done.log


def test_a_second_step_needs_overlap_on_one_side_and_on_both_before_21_08(cluster: Make) -> None:
    body = (
        HEADER
        + "srun --nodes=2 --ntasks=2 sleep 2 & sleep 0.4; srun --overlap --nodes=1 --ntasks=1 echo second; rc=$?; kill $!; wait; exit $rc\n"
    )
    assert "second" in cluster(slurm="22.05").sbatch(body).log
    assert "busy" in cluster(slurm="20.11", busy_wait=0.3).sbatch(body).log


def test_what_a_task_leaves_behind_dies_with_cgroups_only(cluster: Make) -> None:
    body = HEADER + SRUN + "bash -c 'setsid sleep 77 </dev/null >/dev/null 2>&1 & sleep 0.1'\n"
    assert cluster().sbatch(body).leftovers == []
    assert [row["argv"] for row in cluster(proctrack="linuxproc").sbatch(body).leftovers] == [["sleep", "77"]] * 2


def test_gpu_variables(cluster: Make) -> None:
    show = (
        SRUN
        + "-w node1 -N1 -n1 bash -c 'echo $SLURM_GPUS_ON_NODE $CUDA_VISIBLE_DEVICES $SLURM_STEP_GPUS $ROCR_VISIBLE_DEVICES; nvidia-smi -L | wc -l'\n"
    )
    body = HEADER + "#SBATCH --gpus-per-node=2\n" + show.replace("--nodes=2 --ntasks=2 ", "")
    assert cluster(gpus=4, first_gpu=2).sbatch(body).log.split() == ["2", "0,1", "2,3", "0,1", "2"]
    assert cluster(gpus=4, first_gpu=2, constrain_gpus=False).sbatch(body).log.split() == [
        "2",
        "2,3",
        "2,3",
        "2,3",
        "4",
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b", "a b"),
        ("n[1-3]", "n1 n2 n3"),
        ("gpu-[07-09,11]", "gpu-07 gpu-08 gpu-09 gpu-11"),
        ("r[1-2]n[0,5],x", "r1n0 r1n5 r2n0 r2n5 x"),
    ],
)
def test_host_lists(cluster: Make, text: str, names: str) -> None:
    sim = cluster(nodes=1)
    assert sim.run(["scontrol", "show", "hostnames", text]).stdout.split() == names.split()


def test_host_lists_are_compressed(cluster: Make) -> None:
    sim = cluster(names=("gpu-07", "gpu-08", "gpu-10"))
    done = sim.sbatch("#!/bin/bash\n#SBATCH --nodes=3\necho $SLURM_JOB_NODELIST $SLURM_TASKS_PER_NODE\n")
    assert done.log == "gpu-[07-08,10] 1(x3)\n"


def test_a_task_of_an_array_has_its_own_number_and_is_found_by_both(cluster: Make) -> None:
    sim = cluster(nodes=1)
    text = "#!/bin/bash\n#SBATCH --array=2-3\necho ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID} is ${SLURM_JOB_ID}\n"
    done = sim.sbatch(text)
    assert (done.status, done.log) == (0, "1_2 is 2\n")
