"""What is wrong before Ray starts: the job ends there, says what to do, and costs no GPU hours."""

import re
from collections.abc import Callable

import pytest
from faults import EACH_RUNTIME, HOLD, PLAIN, SECRETS, Run, each_runtime
from jobs import Job
from lab import Lab, LabError
from lab_files import HOME, LAB, SUITES, Shape

PRINT = "#!/bin/sh\\nseq -f 'GPU %%g: fake (UUID: GPU-0)' 7\\n"
SMI = f'printf "{PRINT}" >/usr/local/sbin/nvidia-smi; chmod 755 /usr/local/sbin/nvidia-smi'


def real_too_few_gpus(run: Run) -> None:
    """A GPU has fallen off a node: the job ends before Ray starts there, with what to exclude."""
    run.lab.run("bash", "-c", f"mount -t tmpfs -o mode=755 tmpfs /usr/local/sbin; {SMI}", node="node2")
    run.look()
    outcome = run.end(run.submit(HOLD), "FAILED", 77, "a node failed its check")
    assert "7 of 8 GPUs here; leave out node2" in outcome.log


@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_another_ray_on_one_node(run: Run) -> None:
    """The environment of one node has another Ray."""
    other = f"[[ $(hostname) != node2 ]] || source {LAB}/ray/ray-2.49.2/bin/activate"
    outcome = run.end(run.submit(HOLD, "ray.version=2.60.0", setup=other), "FAILED", 77, "a node failed its check")
    assert "Ray 2.49.2 on node2, the manifest says 2.60" in outcome.log


# Docker and Podman give each container shared memory of its own.
@pytest.mark.parametrize("path", each_runtime("docker", "podman"))
def real_full_shared_memory(run: Run) -> None:
    """What a crashed job of somebody else left in /dev/shm."""
    run.lab.run("mount", "-o", "remount,size=1G", "/dev/shm", node="node2")
    run.lab.run("fallocate", "-l", "500M", "/dev/shm/left", node="node2")
    run.look()
    outcome = run.end(run.submit(HOLD, "resources.shm=1G"), "FAILED", 77, "a node failed its check")
    assert "/dev/shm has " in outcome.log
    assert "; node node2" in outcome.log


@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_secret_missing(run: Run) -> None:
    """A required secret is not set: `submit.sh` refuses; a plain `sbatch` ends before Ray starts."""
    with pytest.raises(LabError, match="OTHER_KEY is not set"):
        run.submit("secrets.OTHER_KEY={}")
    outcome = run.end(sbatch(run, "logs"), "FAILED", 78, "a secret, setting or step is at fault")
    assert "not set in the submitting shell: " in outcome.log
    assert "OTHER_KEY" in outcome.log


def sbatch(run: Run, *folders: str) -> Job:
    """Submit without `submit.sh` what was rendered before."""
    work = f"{HOME}/alice/work"
    for folder in folders:
        run.lab.run("mkdir", f"{work}/{folder}", user="alice")
    number = run.lab.run(
        "sbatch", "--parsable", f"out/{run.path.partition('/')[2]}/job.sbatch", user="alice", cwd=work
    ).stdout.strip()
    return Job(run.lab, number, work, "alice")


def real_output_folder_missing(run: Run) -> None:
    """A plain `sbatch` where `submit.sh` would have made the folder: Slurm ends the job, and nothing was started."""
    with pytest.raises(LabError):
        run.submit("secrets.WANDB_API_KEY={}")
    outcome = run.ended(sbatch(run))
    assert (outcome.state, outcome.log) == ("FAILED", ""), outcome
    run.before.expect_nothing_left()


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_stale_folder(run: Run) -> None:
    """A folder with this job's name is there already, from whomever: it is neither used nor removed."""
    number = int(run.ended(run.submit()).verdicts[0]["job"])
    stale = f"/tmp/mngen-{number + 1}-0"
    run.lab.run("install", "--directory", "--owner=bob", f"{stale}/r", node="node2")
    run.look()
    outcome = run.end(run.submit(HOLD), "FAILED", 78, "a secret, setting or step is at fault")
    assert stale in outcome.log


@pytest.mark.only_page
@pytest.mark.parametrize("path", EACH_RUNTIME)
def real_attach(run: Run) -> None:
    """`attach.sh` opens a shell where the job's Ray is: it answers, and its processes are seen. The job goes on."""
    attach(run)


@pytest.mark.only_page
@pytest.mark.parametrize("slurm", [each for each in SUITES if each != Shape().slurm])
def real_attach_by_generation(
    slurm: str, cluster: Callable[[Shape], Lab], record_property: Callable[[str, object], None]
) -> None:
    """The same where a step shares less with another: before 22.05 `--overlap` is of CPUs alone."""
    attach(Run(cluster(Shape(slurm=slurm)), PLAIN, record_property))


def attach(run: Run) -> None:
    """Open a shell on the head of a working job, and ask there."""
    job = run.working()
    script = f"out/{run.path.partition('/')[2]}/attach.sh"
    # srun wants a terminal; what is typed before the shell is up waits there, and its end would be the shell's.
    typed = "sleep 1; echo 'ray status; echo self $(readlink /proc/self); exit 7'; sleep 15"
    command = f"script --quiet --return --command '{script} {job.number}' /dev/null < <({typed})"
    shown = run.lab.run("bash", "-c", command, user="alice", cwd=f"{HOME}/alice/work", check=False)
    assert "Active:" in shown.stdout, shown
    assert re.search(r"self \d+\s*$", shown.stdout, re.MULTILINE), shown
    assert "Exited with exit code 7" in shown.stdout
    job.cancel()
    job.wait()
    run.record("end", "answered")
    run.before.expect_nothing_left()


def real_secret_is_not_shown(run: Run) -> None:
    """A secret reaches the driver's environment; no command line, file of the job or log has it."""
    secret = SECRETS[0].partition("=")[2]
    job = run.submit("secrets.WANDB_API_KEY={}", HOLD, env=SECRETS)
    job.wait_for_log("driver-report")
    for node in run.lab.shape.names:
        shown = run.lab.run("bash", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '", node=node, check=False).stdout
        assert "ray" in shown
        assert secret not in shown
        files = run.lab.run("grep", "-rlsI", secret, "/tmp", f"{HOME}/alice", node=node, check=False).stdout
        assert not files
    driver = job.pids("node1", f"python3 {LAB}/driver.py")[0]
    assert SECRETS[0] in run.lab.run("cat", f"/proc/{driver}/environ", node="node1").stdout.split("\0")
    job.cancel()
    job.wait()
    run.record("end", "not shown")
    run.before.expect_nothing_left()
