"""Bug cases about nodes, CPUs, GPUs and memory (B23 to B43): who takes part in a job, and with how much."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from generated import render
from plain import PlainJob, directives, errors, job_file, option, ray_starts
from single_node import run_single_node

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
IMAGE = {"ref": "example/image:1"}


def test_b23_each_node_gets_its_part_once(plain_job: PlainJob) -> None:
    head, worker = plain_job.starts()
    assert ("--head" in head["argv"], "--head" in worker["argv"]) == (True, False)
    assert [(call["node"], option(call, "node-name")) for call in (head, worker)] == [("gpu-a",) * 2, ("gpu-b",) * 2]
    assert plain_job.driver()["node"] == "gpu-a"
    assert len(plain_job.sim.records("srun")) == 1


@pytest.mark.parametrize("broken", ["none", "more"])
def test_b23_another_number_of_nodes_stops_the_job_before_the_step(cluster: Make, broken: str) -> None:
    sim = cluster(nodes=3)
    script = render(sim, {"resources": {"nodes": 2}}) / "job.sbatch"
    if broken == "none":
        (sim.root / "bin" / "scontrol").unlink()
    done = sim.sbatch(script, options=("--nodes=3",) if broken == "more" else ())
    assert done.status == 75
    assert f"Slurm gave {3 if broken == 'more' else 0} nodes, the manifest says 2" in done.log
    assert sim.records("srun") == []


def test_b25_one_node_is_head_and_runs_the_driver(cluster: Make) -> None:
    sim = cluster(names=("n07",))
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert done.status == 0, done.log
    (head,) = ray_starts(sim)
    assert "--head" in head["argv"]
    assert sim.records("driver")[0]["node"] == "n07"


def test_b25_a_range_of_names_has_one_head(cluster: Make) -> None:
    sim = cluster(names=("gpu-009", "gpu-010", "gpu-011"))
    done = sim.sbatch(render(sim, {}) / "job.sbatch")
    assert done.status == 0, done.log
    starts = ray_starts(sim)
    assert ["--head" in call["argv"] for call in starts] == [True, False, False]
    assert (starts[0]["node"], {call["node"] for call in starts[1:]}) == ("gpu-009", {"gpu-010", "gpu-011"})


@pytest.mark.parametrize("runtime", ["apptainer", "docker"])
def test_b26_a_container_without_slurms_programs_is_enough(cluster: Make, runtime: str) -> None:
    sim = cluster(ray_on_host=False)
    setup = "for name in scontrol srun squeue; do if command -v $name; then exit 1; fi; done"
    target = {"kind": "slurm", "runtime": runtime, "image": IMAGE}
    done = sim.sbatch(render(sim, {"setup": setup, "targets": {"job": target}}) / "job.sbatch")
    assert done.status == 0, done.log
    assert len(ray_starts(sim)) == 2
    calls = sim.records("scontrol")
    assert calls
    assert not [call for call in calls if call["node"] != "node1" or "SLURM_STEP_ID" in call["env"]]


@pytest.mark.parametrize(("service", "container", "texts"), list(product((False, True), repeat=3)))
def test_b28_optional_blocks_in_every_combination(cluster: Make, service: bool, container: bool, texts: bool) -> None:
    sim = cluster(nodes=1)
    fields: dict[str, Any] = {}
    if service:
        command = ["sim-service", "--port", "${{ services.side.port }}"]
        fields["services"] = {"side": {"command": command, "port": "auto", "ready": {"tcp": True}}}
    if container:
        prefix = ["enter-image", "--image=example/image:1", "-V", "/tmp:/tmp"]
        fields["targets"] = {"job": {"kind": "slurm", "runtime": "prefix", "container": {"prefix": prefix}}}
    if texts:
        prepare = [{"run": "true", "when": "before-ray", "on": "every-node"}, {"run": "true"}]
        fields |= {"setup": "true", "preflight": "true", "cleanup": "true", "prepare": prepare}
        fields |= {"host_setup": "true", "env": {"A": "1"}, "ulimits": {"core": 0}, "unset_env": ["B"]}
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 0, done.log
    assert "unbound variable" not in done.log
    assert len(sim.records("service")) == int(service)
    assert sim.records("driver")


@pytest.mark.parametrize("container", [False, True])
def test_b28_a_cluster_without_a_driver_of_its_own(cluster: Make, container: bool) -> None:
    sim = cluster(nodes=1)
    target: dict[str, Any] = {"kind": "slurm", "logs": {"ray_session": "never"}}
    if container:
        target |= {"runtime": "prefix", "container": {"prefix": ["enter-image", "--image=example/image:1"]}}
    driver = {"command": ["sim-driver"], "submit": "ray-job", "from": "outside"}
    job = sim.submit(render(sim, {"driver": driver, "targets": {"job": target}}) / "job.sbatch")
    job.wait_log("ready for Ray jobs")
    job.cancel()
    done = job.wait()
    assert done.status == 143, done.log
    assert "unbound variable" not in done.log


@pytest.mark.parametrize(
    ("given", "env", "counted"),
    [
        (5, {"SLURM_CPUS_PER_TASK": "3", "SLURM_CPUS_ON_NODE": "4"}, "5"),
        (None, {"SLURM_CPUS_PER_TASK": "3", "SLURM_CPUS_ON_NODE": "4"}, "3"),
        (None, {"SLURM_CPUS_ON_NODE": "4"}, "4"),
        (None, {}, "8"),
    ],
)
def test_b33_there_is_always_a_cpu_count(cluster: Make, given: int | None, env: dict[str, str], counted: str) -> None:
    sim = cluster(nodes=1)
    text = job_file(resources={"nodes": 1, **({"cpus": given} if given else {})})
    done = run_single_node(sim, text, env)
    assert done.status == 0, done.stderr
    assert option(ray_starts(sim)[0], "num-cpus") == counted


def test_b34_the_step_asks_for_the_cpus_again(plain_job: PlainJob) -> None:
    assert "--cpus-per-task=6" in directives(plain_job.text)
    (step,) = plain_job.sim.records("srun")
    assert option(step, "cpus-per-task") == "6"


def test_b34_without_a_count_the_step_has_all_of_the_allocation(cluster: Make) -> None:
    sim = cluster(nodes=1)
    done = sim.sbatch(render(sim, {"slurm": {"exclusive": True}}) / "job.sbatch")
    assert done.status == 0, done.log
    assert option(sim.records("srun")[0], "cpus-per-task") == "8"
    assert option(ray_starts(sim)[0], "num-cpus") == "8"


def test_b36_compressed_counts_are_not_calculated_with(plain_job: PlainJob) -> None:
    seen = {**plain_job.sim.records("srun")[0]["env"], **plain_job.starts()[0]["env"]}
    for name in ("SLURM_JOB_CPUS_PER_NODE", "SLURM_TASKS_PER_NODE", "SLURM_STEP_TASKS_PER_NODE"):
        assert seen[name].endswith("(x2)")
        assert name not in plain_job.text
    assert plain_job.done.status == 7


def test_b37_ray_is_told_how_much_of_the_machine_is_the_jobs(plain_job: PlainJob) -> None:
    for call in plain_job.starts():
        assert (option(call, "num-cpus"), option(call, "num-gpus")) == ("6", "2")


def test_b37_without_gpus_ray_is_told_so(cluster: Make) -> None:
    sim = cluster(nodes=1)
    sim.sbatch(render(sim, {}) / "job.sbatch")
    assert [option(call, "num-gpus") for call in ray_starts(sim)] == ["0"]


def test_b39_a_head_without_gpus_is_not_waited_for(cluster: Make) -> None:
    sim = cluster(nodes=3, gpus=2)
    driver = {"command": ["sim-driver"], "args": ["gpus=${{ total_gpus }}"]}
    done = sim.sbatch(render(sim, {"ray": {"head_gpus": 0}, "driver": driver}) / "job.sbatch")
    assert done.status == 0, done.log
    assert [option(call, "num-gpus") for call in ray_starts(sim)] == ["0", "2", "2"]
    assert "3 of 3 nodes, 4 of 4 GPUs" in done.log


def test_b39_gpus_are_waited_for_and_not_only_nodes(cluster: Make) -> None:
    sim = cluster(gpus=2, faults={"node2": {"ray_gpus": 1}})
    fields = {"ray": {"head_gpus": 0, "ready_timeout": 3}}
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 75
    assert "2 of 2 nodes, 1 of 2 GPUs" in done.log
    assert sim.records("driver") == []


def test_b40_more_tasks_in_the_job_are_not_more_rays(cluster: Make) -> None:
    sim = cluster()
    done = sim.sbatch(render(sim, {}) / "job.sbatch", options=("--ntasks-per-node=4",))
    assert done.status == 0, done.log
    (step,) = sim.records("srun")
    assert [option(step, name) for name in ("nodes", "ntasks", "ntasks-per-node")] == ["2", "2", "1"]
    assert [call["node"] for call in ray_starts(sim)] == ["node1", "node2"]


def test_b40_a_manifest_with_a_task_count_of_its_own_is_refused() -> None:
    (error,) = errors(slurm={"extra": ["--ntasks-per-node=8"]})
    assert "--ntasks-per-node" in error.message


@pytest.mark.parametrize(
    ("memory", "lines"),
    [
        (None, []),
        (0, ["--mem=0"]),
        ("64G", ["--mem=64G"]),
        ({"per_cpu": "4G"}, ["--mem-per-cpu=4G"]),
        ({"per_gpu": "64G"}, ["--mem-per-gpu=64G"]),
    ],
)
def test_b43_memory_has_at_most_one_form(memory: Any, lines: list[str]) -> None:
    resources = {"nodes": 2, "gpus": 8, "cpus": 4, **({} if memory is None else {"memory": memory})}
    found = directives(job_file(resources=resources))
    assert [line for line in found if line.startswith("--mem")] == lines


def test_memory_of_each_gpu_is_that_of_the_node_where_no_gpu_is_asked_for() -> None:
    """`sbatch` refuses `--mem-per-gpu` from a job without an option for GPUs."""
    resources = {"nodes": 2, "gpus": 8, "memory": {"per_gpu": "64GB"}}
    for form, line in [("none", "--mem=512G"), ("gres", "--mem-per-gpu=64G"), ("gpus-per-node", "--mem-per-gpu=64G")]:
        found = directives(job_file(resources=resources, slurm={"gpu_request": {"form": form}}))
        assert [each for each in found if each.startswith("--mem")] == [line]


@pytest.mark.parametrize(
    "fields",
    [
        {"resources": {"nodes": 2, "cpus": 4, "gpus": 8, "memory": {"per_cpu": "4G", "per_gpu": "64G"}}},
        {"resources": {"nodes": 2, "memory": "64G"}, "slurm": {"extra": ["--mem-per-cpu=4G"]}},
        {"slurm": {"extra": ["--mem=0", "--mem-per-gpu=4G"]}},
    ],
)
def test_b43_two_forms_are_refused(fields: dict[str, Any]) -> None:
    assert errors(**fields)


@pytest.mark.parametrize(("env", "status"), [({}, 77), ({"RAY_OBJECT_STORE_ALLOW_SLOW_STORAGE": "1"}, 0)])
def test_b22_a_node_without_room_for_rays_object_store_is_named(
    cluster: Make, env: dict[str, str], status: int
) -> None:
    """Ray itself ends over it, and all that the job would say is that a part died."""
    sim = cluster(nodes=1, shm="64M")
    done = sim.sbatch(render(sim, {"ray": {"object_store": "1G"}, "env": env}) / "job.sbatch")
    assert done.status == status, done.log
    assert ("/dev/shm has " in done.log) == bool(status)
