"""What a node of a generated job does before Ray starts: checks, files and variables of its own."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import ways
from generated import render

from mngen.rehearse.cluster import Cluster, JobResult

Make = Callable[..., Cluster]
COPIES = 'export COPIES=$(echo "${JOB_DIR}"/secret.*)'
IMAGE = {
    "repository": "example/image",
    "variants": {"cuda": {"tag": "1", "base": "nvidia/cuda:12.8.1-devel-ubuntu24.04", "gpu_arch": ["9.0"]}},
}


def run(sim: Cluster, **fields: Any) -> JobResult:
    return sim.sbatch(render(sim, fields) / "job.sbatch")


def ray_env(sim: Cluster) -> dict[str, str]:
    (call,) = [call for call in sim.records("ray") if call["argv"][0] == "start"]
    found: dict[str, str] = call["env"]
    return found


@pytest.mark.parametrize(
    ("version", "kept", "removed"),
    [
        ("2.52.1", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"),
        ("2.44.1", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"),
    ],
)
def test_one_mask_of_amd_gpus_is_kept(cluster: Make, version: str, kept: str, removed: str) -> None:
    sim = cluster(nodes=1, gpus=2, vendor="rocm", ray=version)
    target = {"kind": "slurm", "variant": "rocm", "ray": {"version": version}}
    done = sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch", env={"HIP_VISIBLE_DEVICES": ""})
    assert done.status == 0, done.log
    masks = ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
    assert {name: ray_env(sim)[name] for name in masks if name in ray_env(sim)} == {kept: "0,1"}
    assert removed not in ray_env(sim)


@pytest.mark.parametrize("version", ["2.52.1", "2.44.1"])
@pytest.mark.parametrize(("devices", "said"), [(1, "1 of 2 GPUs here"), (0, "no /dev/kfd here")])
def test_a_node_that_lost_an_amd_gpu_is_named(cluster: Make, version: str, devices: int, said: str) -> None:
    sim = cluster(nodes=1, gpus=devices, vendor="rocm", ray=version, gpu_env=("UNUSED",))
    target = {
        "kind": "slurm",
        "variant": "rocm",
        "ray": {"version": version},
        "slurm": {"gpu_request": {"form": "none"}},
    }
    fields = {"targets": {"job": target}, "resources": {"gpus": 2}}
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 77
    assert said in done.log
    assert "node1" in done.log


@pytest.mark.parametrize(
    ("installed", "wanted", "status"), [("2.52.1", "2.52.1", 0), ("2.51.0", "2.52.1", 77), ("2.52.10", "2.52.1", 77)]
)
def test_another_ray_is_noticed_before_it_starts(cluster: Make, installed: str, wanted: str, status: int) -> None:
    sim = cluster(nodes=1, ray=installed)
    done = run(sim, ray={"version": wanted})
    assert done.status == status, done.log
    assert ("the manifest says 2.52.1" in done.log) == bool(status)
    assert bool(sim.records("ray_node")) != bool(status)


@pytest.mark.parametrize(("label", "status"), [("right", 0), ("wrong", 77), ("none", 0)])
def test_an_image_of_another_description_is_noticed(cluster: Make, label: str, status: int) -> None:
    fields = {"image": IMAGE, "targets": {"job": {"kind": "slurm", "runtime": "apptainer"}}}
    probe = cluster(nodes=1)
    text = (render(probe, fields) / "job.sbatch").read_text()
    (digest,) = [line.partition("=")[2] for line in text.splitlines() if line.startswith("readonly IMAGE_DIGEST=")]
    says = {"right": json.dumps({"digest": digest}), "wrong": json.dumps({"digest": "sha256:0"})}
    files = {"/var/mngen/image.json": says[label]} if label in says else {}
    # The simulated image has the machine's own /etc, which is not ours to write to.
    sim = cluster(nodes=1, ray_on_host=False, image={"files": files, "folders": ["/var/mngen"]})
    script = render(sim, fields) / "job.sbatch"
    script.write_text(script.read_text().replace("/etc/mngen/", "/var/mngen/"))
    done = sim.sbatch(script)
    assert done.status == status, done.log
    assert ("was built from another description" in done.log) == bool(status)
    assert ("the image has no /var/mngen/image.json" in done.log) == (label == "none")


def test_the_address_is_left_where_other_jobs_look(cluster: Make) -> None:
    sim = cluster(nodes=1)
    file = sim.work / "shared" / "endpoint.json"
    copies = {"command": ["sh", "-c", f"cp {file} {sim.work}/copy; exec sim-driver"]}
    done = run(sim, endpoint={"file": str(file)}, driver=copies)
    assert done.status == 0, done.log
    address = sim.records("driver")[0]["env"]["HEAD_ADDRESS"]
    assert json.loads((sim.work / "copy").read_text()) == {"job": "1", "host": "10.77.0.1", "address": address}
    assert list(file.parent.iterdir()) == []  # nobody is sent to a server that has ended


def test_env_files_are_exported(cluster: Make) -> None:
    sim = cluster(nodes=1)
    (sim.work / "site.env").write_text("A='1 2'\nB=$A-3\n")
    done = run(sim, env_files=[f"{sim.work}/site.env"])
    assert done.status == 0, done.log
    (call,) = sim.records("driver")
    assert (call["env"]["A"], call["env"]["B"]) == ("1 2", "1 2-3")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"env_files": ["/nowhere/site.env"]}, "cannot read the env file /nowhere/site.env"),
        ({"secrets": {"TOKEN": {"file": "/nowhere/token"}}}, "cannot read the file of secret TOKEN"),
        ({"env": {"CACHE": "${{ env.SCRATCH }}/x"}}, "the manifest uses ${{ env.SCRATCH }}, which is not set"),
        ({"secrets": {"TOKEN": {}}}, "not set in the submitting shell: TOKEN"),
        ({"secrets": {"TOKEN": {"file": "/dev/null"}}}, "the file of secret TOKEN is empty: /dev/null"),
        ({"secrets": {"TOKEN": {"file": "/tmp"}}}, "the file of secret TOKEN is empty: /tmp"),
    ],
)
def test_what_a_node_has_not_stops_the_job_before_ray(cluster: Make, fields: dict[str, Any], said: str) -> None:
    sim = cluster(nodes=1)
    done = run(sim, **fields)
    assert done.status == 78
    assert said in done.log
    assert sim.records("ray") == []


@pytest.mark.parametrize("way", [*ways.SLURM, "manual"])
def test_a_secrets_file_is_the_nodes_own_and_reaches_no_command_line(way: str) -> None:
    """No container shows the node's home; Ray's own token may come from a file too; one may be missing, or empty."""
    sim = ways.cluster(way, nodes=1, gpus=0)
    try:
        (sim.home / "token").write_text("hush-hush\n")
        (sim.home / "empty").touch()
        (sim.home / "folder").mkdir()
        (sim.home / "newline").write_text("\n")
        place = "${{ env.HOME }}/"
        secrets: dict[str, Any] = {name: {"file": f"{place}token"} for name in ("TOKEN", "RAY_AUTH_TOKEN")}
        left = {"OTHER": "other", "EMPTY": "empty", "NEWLINE": "newline", "FOLDER": "folder"}
        secrets |= {name: {"file": f"{place}{file}", "required": False} for name, file in left.items()}
        fields = {"targets": {"job": ways.target(way)}, "secrets": secrets, "setup": COPIES}
        status, log = ways.run(way, sim, render(sim, fields))
        assert status == 0, log
        (call,) = sim.records("driver")
        assert (call["env"]["TOKEN"], call["env"]["RAY_AUTH_TOKEN"]) == ("hush-hush", "hush-hush")
        assert not left.keys() & call["env"].keys()
        assert call["env"]["COPIES"].endswith("/secret.*")  # no copy lies on the node once it is read
        rows = [row for kind in ("ray", "srun", "container") for row in sim.records(kind)]
        assert "hush-hush" not in log + json.dumps([[row.get("argv"), row.get("options")] for row in rows])
        assert sim.left("node1") == []
    finally:
        sim.close()


def test_services_and_ray_share_the_gpus(cluster: Make) -> None:
    sim = cluster(nodes=1, gpus=4)
    services: dict[str, dict[str, Any]] = {
        name: {"command": ["sim-service", name], "gpus": 1} for name in ("one", "two")
    }
    services["none"] = {"command": ["sim-service", "none"]}
    services["all"] = {"command": ["sim-service", "all"], "gpus": "shared"}
    services["first"] = {**services["all"], "command": ["sim-service", "first"], "env": {"CUDA_VISIBLE_DEVICES": "0"}}
    done = run(sim, services=services)
    assert done.status == 0, done.log
    masks = {call["argv"][0]: call["env"]["CUDA_VISIBLE_DEVICES"] for call in sim.records("service")}
    assert masks == {"one": "3", "two": "2", "none": "", "all": "0,1", "first": "0"}
    assert ray_env(sim)["CUDA_VISIBLE_DEVICES"] == "0,1"


def test_rays_logs_are_kept_when_the_job_fails(cluster: Make) -> None:
    sim = cluster(faults={"*": {"driver": {"exit": 3}}})
    done = run(sim, logs={"ray_session": "on-failure"})
    assert done.status == 3
    kept = {path.parent.name: path.read_text() for path in (sim.work / "logs").glob("ray-*/raylet.out")}
    assert kept == {"ray-1-0-node1": "raylet of node1\n"}
    assert f"Ray's logs are in {sim.work}/logs/ray-1-0-node1" in done.log


@pytest.mark.parametrize("tracking", ["cgroup", "linuxproc"])
def test_a_node_that_is_told_to_end_says_where_its_logs_are(cluster: Make, tracking: str) -> None:
    done = run(sim := cluster(proctrack=tracking), logs={"ray_session": "always"})
    assert done.status == 0, done.log
    for name in sim.names:
        assert f"Ray's logs are in {sim.work}/logs/ray-1-0-{name}" in done.log


@pytest.mark.parametrize(
    "way",
    [
        {"runtime": "apptainer", "image": {"ref": "example/image:1"}},
        {"runtime": "prefix", "container": {"prefix": ["enter-image", "--image=example/image:1", "--"]}},
    ],
    ids=["apptainer", "prefix"],
)
def test_rays_logs_are_kept_when_nothing_runs_inside_any_more(cluster: Make, way: dict[str, Any]) -> None:
    """Slurm ends squashfuse with the rest of the step, and with it every program of the image."""
    sim = cluster(ray_on_host=False)
    driver = {"command": ["bash", "-c", "kill -KILL ${PPID}"]}
    done = run(sim, targets={"job": {"kind": "slurm", **way}}, driver=driver, logs={"ray_session": "on-failure"})
    assert done.status == 76, done.log
    assert (sim.work / "logs" / "ray-1-0-node1" / "raylet.out").read_text() == "raylet of node1\n"


def test_rays_logs_are_kept_always_where_that_is_asked(cluster: Make) -> None:
    sim = cluster()
    assert run(sim, logs={"ray_session": "always"}).status == 0
    assert {path.name for path in (sim.work / "logs").glob("ray-*")} == {"ray-1-0-node1", "ray-1-0-node2"}


@pytest.mark.parametrize("way", [way for way in ways.WAYS if way != "skypilot"])  # whose logs lie below its home
def test_what_services_wrote_is_kept_beside_them(way: str) -> None:
    sim = ways.cluster(way)
    try:
        service = {"command": ["bash", "-c", "echo from the service; exec sleep 60"], "on": "every-node"}
        (sim.work / "kept").mkdir()  # by submit.sh, where there is one
        fields = {"services": {"noisy": service}, "logs": {"ray_session": "always", "dir": f"{sim.work}/kept"}}
        status, log = ways.run(way, sim, render(sim, {**fields, "targets": {"job": ways.target(way, sim)}}))
        assert status == 0, log
        kept = sorted((sim.work / "kept").glob("ray-*/parts/noisy.log"))
        assert [path.read_text() for path in kept] == ["from the service\n"] * 2, log
        assert len(sorted((sim.work / "kept").glob("ray-*/parts/ray.log"))) == 2
    finally:
        sim.close()


def test_they_are_kept_where_ray_was_never_started(cluster: Make) -> None:
    sim = cluster(nodes=1)
    service = {
        "command": ["bash", "-c", "echo loading; exec sleep 60"],
        "port": "auto",
        "ready": {"tcp": True, "timeout": 2},
    }
    done = run(sim, services={"slow": service}, logs={"ray_session": "on-failure"})
    assert done.status == 76, done.log
    assert (sim.work / "logs" / "ray-1-0-node1" / "parts" / "slow.log").read_text() == "loading\n"
    assert sim.records("ray") == []


def test_a_token_of_the_jobs_own_reaches_all_nodes_and_no_command_line(cluster: Make) -> None:
    sim = cluster(faults={"*": {"driver": {"connect": True}}})
    done = run(sim)
    assert done.status == 0, done.log
    (token,) = {call["env"]["RAY_AUTH_TOKEN"] for call in [*sim.records("ray"), *sim.records("driver")]}
    assert re.fullmatch("[0-9a-f]{64}", token)
    assert {call["env"]["RAY_AUTH_MODE"] for call in sim.records("ray")} == {"token"}
    assert token not in done.log + json.dumps([row["argv"] for kind in ("ray", "srun") for row in sim.records(kind)])
    assert "RAY_AUTH_TOKEN" not in sim.records("srun")[0]["argv"]


def test_a_mask_of_the_starting_shell_reaches_docker_as_one_value(cluster: Make) -> None:
    sim = cluster(nodes=1, gpus=4, ray_on_host=False)
    target = {"kind": "manual", "runtime": "docker", "image": {"ref": "example/image:1"}, "resources": {"gpus": 2}}
    head = render(sim, {"targets": {"job": target}}) / "head.sh"
    done = sim.run(["bash", str(head)], node="node1", env={"CUDA_VISIBLE_DEVICES": "1,3"}, timeout=20)
    assert done.status == 0, done.stdout + done.stderr
    (container,) = sim.records("container")
    assert container["options"]["gpus"] == ['"device=1,3"']


@pytest.mark.parametrize("way", ways.CONTAINED)
def test_a_mount_of_what_is_not_there_is_named_before_anything_starts(way: str) -> None:
    """docker makes an empty folder of its own there, the others end in words of their own."""
    sim = ways.cluster(way, nodes=1)
    try:
        target = ways.target(way, sim)
        target["mounts"].append({"source": "/nowhere", "target": "/data"})
        status, log = ways.run(way, sim, render(sim, {"targets": {"job": target}}))
        assert status == 78, log
        assert "the manifest mounts what this node has not: /nowhere" in log
        assert sim.records("container") == []
    finally:
        sim.close()
