"""Bug cases about Dockerfiles and Docker (B123 to B131): what is built, by which builder, and that it stays so."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import definition_reader
import dockerfile_reader
import pytest
from generated import render
from plain import directives, image_files, job_file, manifest, ray_starts

from mngen.rehearse.cluster import Cluster

Make = Callable[..., Cluster]
REQUIREMENTS = [
    "vllm>=0.7.0",
    "ray[default]==2.44.1",
    "x<3,>=2",
    "y; python_version<'3.12'",
    "git+https://example.org/x@1f0c3a2b#egg=z",
]
TORCH = {"version": "2.9.1", "wheel_index": "https://wheels.example.org/torch", "packages": ["torchvision==0.24.1"]}
SOURCE = {"url": "https://example.org/verl", "ref": "v0.6.0", "path": "/opt/verl", "pip": ["--no-deps", "-e", "."]}
BUILDERS = ("buildkit", "podman", "classic")


def described(**fields: Any) -> dict[str, Any]:
    """An image with something of everything."""
    return {
        "repository": "r.example.org/a",
        "variants": {"cuda": {"tag": "1", "base": "nvidia/cuda:12.8.1-devel-ubuntu24.04", "gpu_arch": ["9.0"]}},
        "apt": ["git"],
        "torch": TORCH,
        "pip": {"packages": REQUIREMENTS},
        "git": [SOURCE],
        "stages": [
            {
                "name": "tools",
                "base": "debian:12.12-slim",
                "env": {"CFLAGS": "-O2 -g"},
                "steps": [{"run": "cc $CFLAGS -o /tool x.c"}],
            }
        ],
        "files": [{"source": "/tool", "target": "/usr/bin/tool", "from": "tools"}],
        "env": {"build": {"MAX_JOBS": "8"}, "image": {"HF_HOME": "/hf"}},
        "steps": [{"run": "make -j $MAX_JOBS"}],
        **fields,
    }


def dockerfile(**fields: Any) -> str:
    """Its Dockerfile."""
    return image_files(image=described(**fields))["Dockerfile"]


@pytest.mark.parametrize("builder", BUILDERS)
def test_b123_every_requirement_is_one_word(builder: str) -> None:
    made = image_files(image=described(builder=builder))
    for stage in (
        dockerfile_reader.read(made["Dockerfile"], {})[-1],
        definition_reader.read(made["sim.def"], {})[-1],
    ):
        words = [word for kind, words, *_ in stage.actions if kind == "pip" for word in words]
        assert [word for word in words if word in REQUIREMENTS] == REQUIREMENTS


def test_b124_the_classic_builders_file_has_nothing_that_it_refuses() -> None:
    for name, rest, _ in dockerfile_reader.instructions(dockerfile(builder="classic")):
        assert name in {"FROM", "SHELL", "ARG", "ENV", "RUN", "COPY", "WORKDIR", "LABEL", "USER", "ENTRYPOINT", "CMD"}
        options = re.findall(r"^(?:--\S+\s+)*", rest)[0].split() if name in {"RUN", "COPY", "FROM"} else []
        assert all(option.startswith(("--from=", "--chown=")) for option in options), rest
        assert "<<" not in rest
    assert "# syntax=" not in dockerfile(builder="classic")


def mngen(
    folder: Path, *words: str, docker: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program with a docker that is a shell script."""
    program = folder / "bin" / "docker"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{docker}\n")
    program.chmod(0o755)
    return subprocess.run(
        [sys.executable, "-m", "mngen", *words],
        cwd=folder,
        # The package may be a changed copy, which the path of modules names.
        env={"PATH": f"{program.parent}:/usr/bin:/bin", "PYTHONPATH": os.environ.get("PYTHONPATH", ""), **(env or {})},
        capture_output=True,
        text=True,
        check=False,
    )


def rendered(folder: Path, **fields: Any) -> Path:
    """A folder with such a manifest and its rendered files."""
    target = {"kind": "slurm", "runtime": "docker", "resources": {"shm": "1G"}}
    text = manifest(image=described(files=[], **fields), targets={"job": target})
    (folder / "manifest.yaml").write_text(text)
    done = mngen(folder, "render", "manifest.yaml", "--no-lint", "-o", "out", docker="exit 1")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(
    ("builder", "call"),
    [("classic", "| DOCKER_BUILDKIT=0 docker build --file"), ("buildkit", "docker buildx build --file")],
)
def test_b124_each_file_goes_to_the_builder_it_is_for(tmp_path: Path, builder: str, call: str) -> None:
    folder = rendered(tmp_path, builder=builder)
    done = mngen(folder, "build-image", "manifest.yaml", "-o", "out", "--dry-run", docker="exit 1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.removeprefix("tar -cf - out/images/cuda/Dockerfile ").startswith(call)


def test_b126_the_clients_own_settings_hold(tmp_path: Path) -> None:
    folder = rendered(tmp_path)
    env = {"DOCKER_HOST": "tcp://builder:2375", "DOCKER_CONTEXT": "site", "DOCKER_CONFIG": "/etc/site"}
    record = 'echo "$DOCKER_HOST $DOCKER_CONTEXT $DOCKER_CONFIG" >calls'
    done = mngen(folder, "build-image", "manifest.yaml", "-o", "out", docker=record, env=env)
    assert done.returncode == 0, done.stderr
    assert (folder / "calls").read_text() == "tcp://builder:2375 site /etc/site\n"


def test_b126_a_missing_daemon_is_said_with_its_address(tmp_path: Path) -> None:
    folder = rendered(tmp_path)
    said = '[ "$2" = version ] || { echo "Cannot connect to the Docker daemon at $DOCKER_HOST." >&2; exit 1; }'
    env = {"DOCKER_HOST": "tcp://builder:2375"}
    done = mngen(folder, "build-image", "manifest.yaml", "-o", "out", docker=said, env=env)
    assert done.returncode == 3
    assert "error: no container engine answers at tcp://builder:2375\nhint: start it, or set DOCKER_HOST" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("builder", BUILDERS)
def test_b128_every_build_argument_is_declared_in_its_stage(builder: str) -> None:
    """By ARG or ENV, or by the RUN itself, where those of the base would win over ARG."""
    text = dockerfile(builder=builder)
    declared: set[str] = set()
    for name, rest, documents in dockerfile_reader.instructions(text):
        if name == "FROM":
            assert "$" not in rest
            declared = set()
        elif name in {"ARG", "ENV"}:
            declared.add(rest.partition("=")[0])
        elif name == "RUN":
            for used in ("MAX_JOBS", "CFLAGS"):
                if any(f"${used}" in part for part in (rest, *documents)):
                    exported = re.search(rf"^export [^\0]*\b{used}=", re.sub(r"^(--mount=\S+\s*\0\s*)*", "", rest))
                    assert used in declared or exported, (used, rest)
    assert text.count("$MAX_JOBS") == text.count("$CFLAGS") == 1


@pytest.mark.parametrize("builder", BUILDERS)
def test_b129_pins_hold_for_later_installs_and_torch_is_compared_after_each(builder: str) -> None:
    text = dockerfile(builder=builder)
    stage = dockerfile_reader.read(text, {})[-1]
    assert stage.shipped["PIP_CONSTRAINT"] == "/etc/mngen/constraints.txt"
    assert text.index("PIP_CONSTRAINT=") < text.index("-m pip install")
    assert "ray==2.44.1" in image_files(image=described(builder=builder))["constraints.txt"]
    kinds = [(kind, words) for kind, words, *_ in stage.actions]
    installs = [number for number, (kind, _) in enumerate(kinds) if kind == "pip"]
    assert len(installs) >= 3
    for number in installs:
        following = [words for kind, words in kinds[number + 1 :] if kind == "run"]
        assert following[0][:2] == ("python3", "/opt/mngen/torch_guard.py")


def test_b131_another_ray_on_a_node_ends_the_job_before_it_starts(cluster: Make) -> None:
    sim = cluster(ray="2.51.0")
    done = sim.sbatch(render(sim, {"ray": {"version": "2.52.1"}}) / "job.sbatch")
    assert done.status == 77, done.log
    assert "Ray 2.51.0 on node" in done.log
    assert sim.records("ray") == sim.records("driver") == []


def test_b131_driver_and_ray_come_from_one_image(cluster: Make) -> None:
    sim = cluster(ray_on_host=False)
    target = {"kind": "slurm", "runtime": "apptainer", "image": {"ref": "example/image:1"}}
    done = sim.sbatch(render(sim, {"targets": {"job": target}}) / "job.sbatch")
    assert done.status == 0, done.log
    assert {item["image"] for item in sim.records("container")} == {"docker://example/image:1"}
    paths = {call["env"]["PATH"] for call in (*ray_starts(sim), *sim.records("driver"))}
    assert len(paths) == 1


def test_b131_nothing_is_installed_at_job_time() -> None:
    text = job_file(ray={"version": "2.52.1"})
    assert "pip install" not in text
    assert text.count("2.52.1") == 1


@pytest.mark.parametrize("runtime", ["docker", "podman"])
def test_what_ray_leaves_in_its_temporary_folder_goes_with_the_container(cluster: Make, runtime: str) -> None:
    """An image's root owns it, and the host's user cannot remove it: on a killed job it stayed for ever."""
    sim = cluster(nodes=1, ray_on_host=False)
    target = {"kind": "slurm", "runtime": runtime, "image": {"ref": "example/image:1"}}
    script = render(sim, {"targets": {"job": target}}) / "job.sbatch"
    assert sim.sbatch(script).status == 0
    (start,) = ray_starts(sim)
    assert start["env"]["TMPDIR"] == "/tmp/mngen-1-0/r"
    assert '  rm -rf -- "${JOB_DIR:?}"/*/\n' in script.read_text().partition("\nleave() {")[2]


@pytest.mark.parametrize(
    ("runtime", "memory", "slurm", "expected"),
    [
        ("docker", "2G", {}, {"memory": ["2048m"], "cpuset-cpus": [str]}),
        ("docker", {"per_gpu": "3G"}, {}, {"memory": ["6144m"], "cpuset-cpus": [str]}),
        ("docker", "2G", {"exclusive": True}, {}),
        ("podman", "2G", {}, {"cgroups": ["disabled"]}),
    ],
)
def test_a_container_on_a_shared_node_keeps_to_the_jobs_cpus_and_memory(
    cluster: Make, runtime: str, memory: Any, slurm: dict[str, Any], expected: dict[str, list[Any]]
) -> None:
    """An engine that runs as a daemon is outside of the job's cgroup; its containers would take the whole node."""
    sim = cluster(nodes=1, ray_on_host=False, gpus=2)
    target = {"kind": "slurm", "runtime": runtime, "image": {"ref": "example/image:1"}, "slurm": slurm}
    fields = {"targets": {"job": target}, "resources": {"memory": memory, "gpus": 2}}
    done = sim.sbatch(render(sim, fields) / "job.sbatch")
    assert done.status == 0, done.log
    (options,) = [container["options"] for container in sim.records("container")]
    found = {name: options[name] for name in ("memory", "cpuset-cpus", "cgroups") if name in options}
    if runtime == "docker" and found:
        allowed = re.search(r"^Cpus_allowed_list:\s*(.*)$", Path("/proc/self/status").read_text(), re.MULTILINE)
        assert allowed is not None
        expected = {**expected, "cpuset-cpus": [allowed[1]]}
    assert found == expected


@pytest.mark.parametrize("variant", ["cuda", "rocm"])
@pytest.mark.parametrize("runtime", ["docker", "podman"])
def test_a_site_that_hands_out_whole_nodes_gives_the_container_every_gpu(
    cluster: Make, runtime: str, variant: str
) -> None:
    """Slurm was not asked for GPUs there, and so names none as the job's."""
    sim = cluster(nodes=1, ray_on_host=False, gpus=2, vendor=variant)
    slurm = {"gpu_request": {"form": "none"}, "exclusive": True}
    target = {"kind": "slurm", "variant": variant, "runtime": runtime, "image": {"ref": "a/b:1"}, "slurm": slurm}
    script = render(sim, {"targets": {"job": target}, "resources": {"gpus": 2}}) / "job.sbatch"
    done = sim.sbatch(script)
    assert done.status == 0, done.log
    asked = [option for option in directives(script.read_text()) if "gpu" in option or "gres" in option]
    assert asked == []
