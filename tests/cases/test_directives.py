"""Bug cases about `#SBATCH` lines and what hangs on them (B51 to B61)."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest
from generated import render
from plain import PlainJob, directives, errors, findings, job_file, option, ray_starts

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]


def test_b51_submit_makes_the_log_folder(cluster: Make) -> None:
    sim = cluster(nodes=1, slurm="22.05")
    fields = {"logs": {"dir": "deep/logs"}, "slurm": {"output": "other/%x-%j.out"}}
    folder = render(sim, fields)
    done = sim.run([str(folder / "submit.sh"), "an argument"])
    assert done.status == 0, done.stderr
    assert "job 1 is submitted" in done.stdout
    sim.wait_for((sim.work / "other" / "sim-1.out").exists)
    assert not (sim.work / "deep").exists()  # where nothing of this job goes
    assert sim.wait_record("driver", timeout=20)[0]["argv"] == ["an argument"]


def test_b51_submit_makes_the_log_folder_where_slurm_looks_for_it(cluster: Make) -> None:
    """Slurm takes a relative path from --chdir, where the job has one."""
    sim = cluster(nodes=1, slurm="22.05")
    place = sim.work / "else where"
    place.mkdir()
    folder = render(sim, {"slurm": {"chdir": str(place), "output": "other/%j.out", "error": str(sim.work / "e/%j")}})
    done = sim.run([str(folder / "submit.sh")])
    assert done.status == 0, done.stderr
    sim.wait_for((place / "other" / "1.out").exists)
    (line,) = [each for each in done.stdout.splitlines() if "tail -F" in each]
    assert shlex.split(line)[3:] == [str(place / "other" / "1.out"), str(sim.work / "e/1")]
    assert sim.wait_record("driver", timeout=20)


@pytest.mark.parametrize("pattern", ["logs/%j/x.out", "%x/x.out", "logs_%A/%a.out"])
def test_b51_a_folder_that_only_slurm_could_name_is_refused(pattern: str) -> None:
    (error,) = errors(slurm={"output": pattern})
    assert error.code == "MN235"
    assert "before the job" in error.message
    assert errors(logs={"dir": pattern.rpartition("/")[0]})
    assert errors(slurm={"output": "logs/%x-%j.out"}) == []


@pytest.mark.parametrize("name", ["output", "error", "partition", "account", "constraint", "licenses"])
def test_b52_a_directive_is_no_shell_text(name: str) -> None:
    for value in ("$SCRATCH/x", "~/x"):
        (error,) = errors(slurm={name: value})
        assert (error.code, f"slurm.{name}" in error.message) == ("MN234", True)


def test_b52_nor_is_any_other_place_that_becomes_one() -> None:
    assert errors(slurm={"chdir": "$HOME/x"})
    assert errors(slurm={"extra": ["--chdir=~/x"]})
    assert errors(logs={"dir": "$SCRATCH/logs"})
    text = job_file(vars={"scratch": "/scratch/me"}, slurm={"output": "${{ vars.scratch }}/%j.out"})
    assert "--output=/scratch/me/%j.out" in directives(text)


@pytest.mark.parametrize("word", ["hetjob", "packjob"])
def test_b53_the_words_of_a_job_separator_are_refused(word: str) -> None:
    places: list[dict[str, Any]] = [
        {"name": f"a-{word}"},
        {"slurm": {"job_name": f"my-{word}"}},
        {"slurm": {"output": f"logs/{word}.out"}},
        {"slurm": {"comment": f"no {word} here"}},
        {"slurm": {"extra": [f"--comment={word}"]}},
    ]
    for fields in places:
        (error,) = errors(**fields)
        assert (error.code, "separator" in error.message) == ("MN233", True), fields


def test_b56_there_is_one_export_at_most(plain_job: PlainJob) -> None:
    assert "MN237" in {item.code for item in errors(slurm={"extra": ["--export=ALL", "--export=ALL,B=1"]})}
    assert "MN237" in {item.code for item in errors(slurm={"export": "ALL", "extra": ["--export=ALL,B=1"]})}
    assert not [line for line in directives(plain_job.text) if line.startswith("--export")]
    assert option(plain_job.sim.records("srun")[0], "export") == "ALL"
    text = job_file(slurm={"export": "ALL,B=1"})
    assert [line for line in directives(text) if line.startswith("--export")] == ["--export=ALL,B=1"]


def test_b57_an_export_never_drops_the_rest() -> None:
    for value in ("MYVAR=1", "PATH", "B=1,ALL"):
        (error,) = errors(slurm={"export": value})
        assert (error.code, "PATH" in error.message) == ("MN238", True)
    assert errors(slurm={"extra": ["--export=MYVAR=1"]})
    for value in ("ALL", "ALL,MYVAR=1", "NONE"):
        assert errors(slurm={"export": value}) == []


def test_b57_variables_of_an_export_arrive_beside_the_rest(cluster: Make) -> None:
    sim = cluster(nodes=1)
    done = sim.sbatch(render(sim, {"slurm": {"export": "ALL,MINE=1"}}) / "job.sbatch", env={"OTHER": "2"})
    assert done.status == 0, done.log
    (driver,) = sim.records("driver")
    assert [driver["env"].get(name) for name in ("MINE", "OTHER")] == ["1", "2"]


@pytest.mark.parametrize(("field", "options"), [("NONE", ()), ("NIL", ()), (None, ("--export=NONE",))])
def test_b58_steps_see_the_jobs_own_variables_without_the_submitters(
    cluster: Make, field: str | None, options: tuple[str, ...]
) -> None:
    sim = cluster()
    script = render(sim, {"slurm": {"export": field}} if field else {}) / "job.sbatch"
    done = sim.sbatch(script, options=options, env={"STRAY": "1"})
    assert done.status == 0, done.log
    (step,) = sim.records("srun")
    assert option(step, "export") == "ALL"
    for call in ray_starts(sim):
        assert "STRAY" not in call["env"]
        assert call["env"]["HEAD_IP"] == "10.77.0.1"


def test_b60_what_the_manifest_does_not_know_goes_through_unchanged() -> None:
    extra = ["--quotatype=reserved", "-C", "gpu&hbm40g", "-q", "low prio"]
    lines = directives(job_file(slurm={"extra": extra, "array": "1-1%64"}))
    words = [word for line in lines for word in shlex.split(line, comments=True)]
    assert words[-5:] == extra
    assert "--array=1-1%64" in words


def test_b60_slurm_reads_marks_of_the_shell_as_text(cluster: Make) -> None:
    sim = cluster(nodes=1)
    fields = {"slurm": {"constraint": "gpu&hbm40g", "extra": ["--array=1-1%64", '--comment="a & b|touch x"']}}
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 0, done.log
    given = done.job["options"]
    assert [given[name] for name in ("constraint", "array", "comment")] == [
        ["gpu&hbm40g"],
        ["1-1%64"],
        ["a & b|touch x"],
    ]
    assert not (sim.work / "x").exists()


@pytest.mark.parametrize("asked", [{"array": "3-5"}, {"extra": ["--array=3-5"]}, {"array": "3"}], ids=str)
def test_b61_a_task_of_an_array_goes_back_to_the_queue_alone(cluster: Make, asked: dict[str, Any]) -> None:
    """One task's own number is also the array's, and by that Slurm would begin every task again."""
    sim = cluster(nodes=1, requeue_delay=0.5, faults={"*": {"driver": {"sleep": 60, "traps": ["USR1"]}}})
    fields = {"on_time_limit": {"signal": "USR1", "before": 60, "then": "requeue"}, "slurm": {"time": 60, **asked}}
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    sim.set_faults({"*": {"driver": {"exit": 5}}})
    job.cancel("--batch", "--signal=USR1")
    sim.wait_for(lambda: job.entry()["restarts"] == 1, 20)
    assert [call["argv"] for call in sim.records("scontrol") if call["argv"][0] == "requeue"] == [["requeue", "1_3"]]
    assert job.wait(40).status == 5


def test_b61_a_second_attempt_keeps_off_the_first_ones_state(cluster: Make) -> None:
    sim = cluster(requeue_delay=0.5, faults={"*": {"driver": {"sleep": 60, "traps": ["USR1"], "output": "first"}}})
    limit = {"signal": "USR1", "before": 60, "then": "requeue"}
    fields = {
        "on_time_limit": limit,
        "resume": {"args": ["--resume"]},
        "slurm": {"time": 60},
        "logs": {"driver": "train.log"},
    }
    job = sim.submit(render(sim, fields) / "job.sbatch")
    sim.wait_record("driver", timeout=20)
    sim.set_faults({"*": {"driver": {"exit": 5, "connect": True, "output": "second"}}})
    job.cancel("--batch", "--signal=USR1")
    sim.wait_for(lambda: job.entry()["restarts"] == 1, 20)
    left = sim.tmp("node1") / "mngen-1-0"
    left.mkdir()
    for name in ("ready", "time_limit"):
        (left / name).touch()
    for name, target in (("driver.status", "0"), ("driver.pid", "1")):
        (left / name).symlink_to(target)
    done = job.wait()
    assert (done.status, done.job["restarts"]) == (5, 1), done.log
    first, second = sim.records("driver")
    assert (first["argv"], second["argv"]) == ([], ["--resume"])
    assert {call["env"]["JOB_DIR"] for call in sim.records("ray")} == {"/tmp/mngen-1-0", "/tmp/mngen-1-1"}
    assert [(sim.work / "logs" / f"train-1-{n}.log").read_text().splitlines()[1] for n in (0, 1)] == ["first", "second"]
    assert done.log.count("head node1 at 10.77.0.1") == 2


@pytest.mark.parametrize("node", ["node1", "node2"])
def test_b61_a_folder_that_is_there_already_is_not_believed(cluster: Make, node: str) -> None:
    sim = cluster()
    left = sim.tmp(node) / "mngen-1-0"
    left.mkdir()
    (left / "driver.status").symlink_to("0")
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert (done.status, done.leftovers) == (78, []), done.log
    assert "/tmp/mngen-1-0" in done.log
    assert '"status": 78' in done.log
    assert sim.records("driver") == []
    assert [path.name for path in left.iterdir()] == ["driver.status"]


def test_b61_a_requeued_jobs_log_is_appended_to() -> None:
    assert "--open-mode=append" in directives(job_file(slurm={"requeue": True}))
    assert "--open-mode=append" in directives(job_file())  # most sites put a job back that says nothing of it
    assert "--open-mode=append" not in directives(job_file(slurm={"requeue": False}))
    fields: dict[str, Any] = {"on_time_limit": {"signal": "USR1", "then": "requeue"}}
    assert "--open-mode=append" in directives(job_file(**fields, slurm={"time": 60}))
    assert "MN236" in {item.code for item in findings(**fields, slurm={"time": 60, "open_mode": "truncate"})}


def test_a_raw_value_with_a_blank_is_quoted() -> None:
    """sbatch ends reading directives at a word that is no option."""
    extra = [
        "--comment=first run",
        "--chdir=/my project",
        '--mcs-label="a b"',
        "-C gpu&hbm",
        "-A",
        "an account",
        "--gres-flags=disable-binding --hold",
        "--exclusive",
    ]
    lines = directives(job_file(slurm={"extra": extra}))
    assert lines[-7:] == [
        '--comment="first run"',
        '--chdir="/my project"',
        '--mcs-label="a b"',
        "-C gpu&hbm",
        '-A "an account"',
        "--gres-flags=disable-binding --hold",
        "--exclusive",
    ]


def test_all_logs_of_a_job_are_in_one_folder(cluster: Make) -> None:
    """Relative paths of a job's own output begin in its working directory (sbatch, --chdir)."""
    sim = cluster(nodes=1)
    (sim.work / "else where/logs").mkdir(parents=True)
    slurm = {"chdir": f"{sim.work}/else where"}
    folder = render(sim, {"logs": {"driver": "train.log"}, "targets": {"job": {"kind": "slurm", "slurm": slurm}}})
    assert sim.sbatch(folder / "job.sbatch").status == 0
    assert sorted(path.name for path in (sim.work / "else where/logs").iterdir()) == ["sim-1.out", "train-1-0.log"]
    assert list((sim.work / "logs").iterdir()) == []
