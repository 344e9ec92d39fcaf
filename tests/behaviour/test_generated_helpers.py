"""The small files beside a launch file: a shell on a running job, and jobs submitted to a cluster from outside."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generated import manifest_text, place, render

from mngen import targets
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.model import Manifest
from mngen.rehearse.cluster import Cluster, Job, Result
from mngen.render import render as render_files

Make = Callable[..., Cluster]


# Names that bash cannot hold, that it does not let go, and that attach.sh has uses of its own for.
AWKWARD = {"my.app.opt": "3", "UID": "0", "pid": "1", "node": "9", "joined": "x", "taken": "it is"}


def sleeping(sim: Cluster, **target: Any) -> tuple[Job, str]:
    """A job whose driver sleeps, and its attach.sh."""
    folder = render(sim, {"targets": {"job": {"kind": "slurm", **target}}})
    job = sim.submit(folder / "job.sbatch", env=AWKWARD)
    sim.wait_record("driver", timeout=20)
    return job, str(folder / "attach.sh")


@pytest.mark.parametrize("runtime", ["none", "apptainer", "docker", "podman"])
def test_attach_opens_a_shell_beside_the_jobs_ray(cluster: Make, runtime: str) -> None:
    sim = cluster(nodes=1, faults={"*": {"driver": {"sleep": 60}}})
    image = {} if runtime == "none" else {"image": {"ref": "example/image:1"}}
    job, attach = sleeping(sim, runtime=runtime, **image)
    commands = "echo ${taken} ${pid}; ray status; uname -n; readlink /proc/self; exit 5\n"
    inherited = {"SHELLOPTS": "errexit", "SLURM_GPUS": "8", "SLURM_MEM_PER_CPU": "1", "SLURM_CONF": "/c"}
    done = sim.run([attach, job.id], stdin=commands, env=inherited, timeout=15)
    own = sim.records("srun")[-1]["env"]
    assert [own.get(name) for name in ("SLURM_GPUS", "SLURM_MEM_PER_CPU", "SLURM_CONF")] == [None, None, "/c"]
    handed_on = "it is 1" if runtime in ("none", "apptainer") else ""  # a daemon's container has the manifest's alone
    assert done.stdout.splitlines()[0] == handed_on, done.stdout + done.stderr
    assert "Active:" in done.stdout, done.stdout + done.stderr
    name, number = done.stdout.split()[-2:]
    assert name == "node1"
    assert number.isdigit()  # /proc and the shell have the same process numbers
    assert done.status == 5
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("srun: ")]
    (port,) = [word[17:] for call in sim.records("ray") for word in call["argv"] if word[:17] == "--dashboard-port="]
    reach = f"dashboard: from your own computer, ssh -J LOGIN -L 8265:localhost:{port} node1"
    assert line == f"{reach}; its token is in RAY_AUTH_TOKEN here"


@pytest.mark.parametrize("runtime", ["none", "apptainer", "docker"])
@pytest.mark.parametrize(("slurm", "gpus", "expected"), [("20.11", 2, True), ("20.11", 0, False), ("22.05", 2, False)])
def test_attach_waits_for_no_gpus_of_the_job(
    cluster: Make, runtime: str, slurm: str, gpus: int, expected: bool
) -> None:
    """Before 22.05 steps share CPUs only, and the one that runs Ray has all GPUs until the job ends."""
    sim = cluster(nodes=1, gpus=2, slurm=slurm, faults={"*": {"driver": {"sleep": 60}}})
    image = {} if runtime == "none" else {"image": {"ref": "example/image:1"}}
    job, attach = sleeping(sim, runtime=runtime, resources={"gpus": gpus}, **image)
    done = sim.run([attach, job.id], stdin="ray status\nexit 5\n", timeout=15)
    assert done.status == 5, done.stdout + done.stderr
    assert "Active:" in done.stdout
    assert ("--gres=none" in sim.records("srun")[-1]["argv"]) is expected


def test_attach_says_that_a_job_has_no_nodes(cluster: Make) -> None:
    """One that waits in the queue, again after a requeue or still, or that has ended."""
    sim = cluster(nodes=1)
    folder = render(sim, {"targets": {"job": {"kind": "slurm"}}})
    job = sim.submit(folder / "job.sbatch")
    job.wait()
    done = sim.run([str(folder / "attach.sh"), job.id], timeout=15)
    assert (done.status, done.stderr) == (1, f"job {job.id} has no nodes now\n")


@pytest.mark.parametrize("runtime", ["apptainer", "pyxis"])
def test_attach_says_what_to_do_where_only_root_can_join_the_container(cluster: Make, runtime: str) -> None:
    """A set-uid Apptainer makes its namespaces with root's rights; nsenter's own words say nothing of that."""
    sim = cluster(nodes=1, faults={"*": {"driver": {"sleep": 60}}}, pyxis=runtime == "pyxis")
    job, attach = sleeping(sim, runtime=runtime, image={"ref": "example/image:1"})
    program = sim.work / "nsenter"
    program.write_text(
        "#!/bin/sh\necho 'nsenter: reassociate to namespace failed: Operation not permitted' >&2\nexit 1\n"
    )
    program.chmod(0o755)
    path = f"{sim.work}:{sim.environment()['PATH']}"
    done = sim.run([attach, job.id], stdin="echo reached\n", env={"PATH": path}, timeout=15)
    assert done.status == 1
    assert "reached" not in done.stdout
    assert "only root can join this job's container" in done.stderr
    assert f"  srun --jobid={job.id} --overlap --nodelist=node1 --pty bash\n" in done.stderr


@pytest.mark.parametrize(("code", "made"), [("verl", False), ("./a b/verl/", False), ("verl", True), (".", True)])
def test_submit_says_that_the_code_is_not_there_before_the_job_waits_in_the_queue(
    cluster: Make, code: str, made: bool
) -> None:
    sim = cluster(nodes=1)
    if made:
        (sim.work / code).mkdir(exist_ok=True)
    mounted = {"runtime": "apptainer", "image": {"ref": "example/image:1"}, "code": {"path": code, "to": "/code"}}
    done = sim.run([str(render(sim, {"targets": {"job": {"kind": "slurm", **mounted}}}) / "submit.sh")], cwd=sim.work)
    missing = f"submit: no {code.removeprefix('./').rstrip('/')} in {sim.work}, where the manifest's code.path has it\n"
    assert (done.status, done.stderr) == ((0, "") if made else (78, missing))
    assert len(sim.records("sbatch")) == made


@pytest.mark.parametrize(
    "asked", [{"array": "3-5%1"}, {"extra": ["--array=3-5%1"]}, {"extra": ["-a", "3-5%1"]}], ids=str
)
def test_what_submit_prints_of_an_array_works_for_its_first_task(cluster: Make, asked: dict[str, Any]) -> None:
    """That task has another number than the array, by which its Ray is known; also where the option is a raw one."""
    sim = cluster(nodes=1, faults={"*": {"driver": {"sleep": 60}}})
    folder = render(sim, {"targets": {"job": {"kind": "slurm", "slurm": asked}}})
    said = sim.run([str(folder / "submit.sh")], cwd=sim.work).stdout
    sim.wait_record("driver", timeout=30)
    lines = {key: command for key, _, command in (line.strip().partition(":") for line in said.splitlines()[1:])}
    assert lines["shell"].split()[-1] == "1_3"
    done = sim.run(lines["shell"].split(), stdin='echo "task ${SLURM_ARRAY_TASK_ID} as ${JOB_ID}"\n', timeout=15)
    assert "task 3 as 2" in done.stdout, done.stdout + done.stderr
    (log,) = lines["log"].split()[2:]
    assert (sim.work / log).read_text()
    nothing = sim.run([str(folder / "attach.sh"), "1_4"], timeout=15)
    assert (nothing.status, nothing.stderr) == (1, "no task of job 1_4 is running\n")


def test_submit_names_logs_where_raw_options_put_them(cluster: Make) -> None:
    """The folder in which relative paths begin, and the file of the job's own messages."""
    sim = cluster(nodes=1)
    (sim.work / "elsewhere").mkdir()
    raw = {"extra": [f"--chdir={sim.work}/elsewhere", "--error=errors-%j.log"]}
    folder = render(sim, {"targets": {"job": {"kind": "slurm", "slurm": raw}}})
    said = sim.run([str(folder / "submit.sh")], cwd=sim.work).stdout
    (log,) = re.findall("log: +tail -F (.*)", said)
    sim.wait_for(lambda: all(Path(sim.work, name).exists() for name in shlex.split(log)), 30)
    assert Path(log.split()[-1]).name == "errors-1.log"


@pytest.mark.parametrize("kind", ["slurm", "manual"])
def test_a_cluster_for_drivers_from_outside_says_what_their_arguments_need(cluster: Make, kind: str) -> None:
    """Addresses in the form that stands before a port too."""
    sim = cluster(nodes=2)
    url = "${{ head_host }} ${{ node_host }} ${{ head_ip }}"
    driver = {"command": ["sim-driver", url], "submit": "ray-job", "from": "outside"}
    folder = render(sim, {"driver": driver, "targets": {"job": {"kind": kind}}})
    if kind == "slurm":
        log = sim.work / "logs/sim-1.out"
        sim.submit(folder / "job.sbatch")
    else:
        head = sim.spawn(["bash", str(folder / "head.sh")], node="node1")
        sim.spawn(["bash", str(folder / "worker.sh"), "10.77.0.1", "1"], node="node2")
        log = head.err
    sim.wait_for(lambda: log.exists() and "in the shell that submits them" in log.read_text(), 30)
    (line,) = [line for line in log.read_text().splitlines() if "in the shell that submits them" in line]
    assert line.endswith("export HEAD_HOST=10.77.0.1 NODE_HOST=10.77.0.1 HEAD_IP=10.77.0.1")


def test_attach_says_what_it_cannot_find(cluster: Make) -> None:
    sim = cluster(faults={"*": {"driver": {"sleep": 60}}})
    job, attach = sleeping(sim)
    sim.kill([row["pid"] for row in sim.processes() if "ray" in row["argv"] and "start" in row["argv"]], 19)
    assert sim.run([attach]).status == 64
    other = sim.submit("#!/bin/bash\nsleep 60\n")
    done = sim.run([attach, other.id, "node1"], timeout=15)
    assert done.status == 1
    assert f"the Ray of job {other.id} does not run here" in done.stdout + done.stderr
    assert job.id != other.id


def outside(sim: Cluster, *words: str) -> tuple[Path, Callable[..., Result]]:
    """A running cluster without a driver: its log; what its submit script does from the head's shell."""
    fields = {"driver": {"command": ["sim-driver", *words], "submit": "ray-job", "from": "outside"}}
    folder = render(sim, {**fields, "targets": {"job": {"kind": "manual"}}})
    head = sim.spawn(["bash", str(folder / "head.sh")], node="node1")
    submit = folder / "submit.sh"

    def run(*words: str, env: dict[str, str] | None = None) -> Result:
        return sim.run([str(submit), *words], node="node1", timeout=20, env=env)

    sim.wait_for(lambda: any(row["name"] == "dashboard" for row in sim.processes()), 20)
    sim.wait_for(lambda: run("list").status == 0, 20)
    return head.err, run


def test_jobs_are_submitted_from_outside_and_looked_after(cluster: Make) -> None:
    sim = cluster(nodes=1)
    _, run = outside(sim, "it's $HOME")
    nothing = run("latest")
    assert nothing.status == 1
    assert "no job has been submitted" in nothing.stderr
    done = run("start", "a b", "$(touch x)", "")
    assert done.status == 0, done.stdout + done.stderr
    assert sim.records("driver")[0]["argv"] == ["it's $HOME", "a b", "$(touch x)", ""]
    (submit,) = [call["argv"] for call in sim.records("ray") if call["argv"][:2] == ["job", "submit"]]
    sent = submit[submit.index("--") + 1 :]
    # Releases of Ray quote other words differently on their way to the shell that runs them.
    assert not [word for word in sent if not re.fullmatch(r"[\w ./:@%+=,;*()\[\]-]+", word)]
    first = run("latest").stdout
    assert run().status == 0
    second = run("latest").stdout
    assert first.strip()
    assert first != second
    assert "SUCCEEDED" in run("status").stdout
    assert "driver: ended" in run("logs", first.strip()).stdout
    assert run("nonsense").status == 64


# Those that both coreutils and macOS have; what macOS has besides takes other values.
BASE64 = """#!/bin/bash
[[ $# == 0 || $* == -[dD] || $* == --decode ]] || { echo "base64: unrecognized option $1" >&2 && exit 64; }
exec /usr/bin/base64 "$@"
"""


def test_words_travel_from_a_computer_whose_base64_knows_few_options(cluster: Make) -> None:
    """Whoever submits may sit at a Mac; words that are long make several lines elsewhere."""
    sim = cluster(nodes=1)
    _, run = outside(sim, "a b" * 60)
    tools = sim.work / "tools"
    tools.mkdir()
    (tools / "base64").write_text(BASE64)
    (tools / "base64").chmod(0o755)
    done = run("start", env={"PATH": f"{tools}:{sim.environment()['PATH']}"})
    assert done.status == 0, done.stdout + done.stderr
    assert sim.records("driver")[0]["argv"] == ["a b" * 60]


@pytest.mark.parametrize("runtime", ["none", "docker"])
def test_the_readme_starts_machines_where_relative_paths_begin(cluster: Make, runtime: str) -> None:
    sim = cluster(nodes=1, ray_on_host=runtime == "none")
    for name, text in (("code/here.txt", "found"), (".venv/bin/activate", "export VENV=active")):
        (sim.work / name).parent.mkdir(parents=True)
        (sim.work / name).write_text(text)
    fields: dict[str, Any] = {"logs": {"driver": "train.log"}, "targets": {"job": {"kind": "manual"}}}
    if runtime == "docker":
        fields["targets"]["job"] |= {"runtime": "docker", "image": {"ref": "example/image:1"}}
        fields |= {"code": {"path": "code", "to": "/w"}, "preflight": "test -e /w/here.txt"}
    else:
        fields["setup"] = "source .venv/bin/activate"
    text = manifest_text(sim, fields)
    place(sim, read(text), "job")
    readme = render_files(targets.plan(read(text)), digest="").files[-1]
    assert "in the manifest's folder" in readme.text
    (command,) = re.findall(r"^bash .*$", readme.text, re.MULTILINE)
    done = sim.run(["bash", "-c", command], node="node1", cwd=sim.work, timeout=20)
    assert done.status == 0, done.stdout + done.stderr
    assert runtime == "docker" or sim.records("driver")[0]["env"]["VENV"] == "active"
    assert [path.name for path in (sim.work / "logs").iterdir()] == ["train-manual-0-0.log"]


def read(text: str) -> Manifest:
    """A manifest that has no errors."""
    found = load(text, "manifest.yaml", LoadOptions()).manifest
    assert found is not None, text
    return found


def test_the_log_shows_what_arguments_need_where_jobs_are_submitted(cluster: Make) -> None:
    sim = cluster(nodes=1)
    log, run = outside(sim, "${{ head_address }}", "${{ job_dir }}")
    assert run("latest").stderr.startswith("submit: no job")
    unset = run("start")
    assert unset.status != 0
    assert "HEAD_ADDRESS: set it to what the log of the cluster shows" in unset.stderr
    sim.wait_for(lambda: "ready for Ray jobs; ssh -L 8265:localhost:8265 node1 makes" in log.read_text(), 20)
    (line,) = (line for line in log.read_text().splitlines() if " export HEAD_ADDRESS=" in line)
    shown = dict(word.split("=", 1) for word in shlex.split(line.partition(" export ")[2]))
    done = run("start", env=shown)
    assert done.status == 0, done.stdout + done.stderr
    assert sim.records("driver")[0]["argv"] == list(shown.values())
    assert list(shown) == ["HEAD_ADDRESS", "JOB_DIR"]


def test_submit_leaves_the_allocation_of_its_shell_behind(cluster: Make) -> None:
    sim = cluster(nodes=1)
    folder = render(sim, {"driver": {"command": ["sh", "-c", 'exec sim-driver "${SLURM_CONF-}" "${SLURM_CPU_BIND-}"']}})
    inherited = {
        "SLURM_CPU_BIND": "map_cpu:0",
        "SLURM_MEM_PER_CPU": "1",
        "SBATCH_PARTITION": "other",
        "SLURM_CONF": "/c",
        "SLURM_JWT": "token",
        "CDPATH": f".:{sim.work}",
    }
    done = sim.run([str(folder / "submit.sh")], env=inherited)
    assert done.status == 0, done.stderr
    (driver,) = sim.wait_record("driver", timeout=30)
    assert driver["argv"][1] == ""
    assert "SLURM_MEM_PER_CPU" not in driver["env"]
    (call,) = sim.records("sbatch")
    assert "SBATCH_PARTITION" not in call["env"]
    assert [call["env"][name] for name in ("SLURM_CONF", "SLURM_JWT")] == ["/c", "token"]
