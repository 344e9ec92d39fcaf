"""An image's whole way on a cluster: described, built, pushed, locked and made a SIF by a user, then run by jobs."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cells import NEW_RAY
from footprint import Before
from jobs import Outcome, patient, send
from lab import PATH, Lab
from lab_files import HOME, LAB, LOGIN_HOST, Shape
from software import IMAGES, ROOT

WORK = f"{HOME}/alice/work"
SCRIPT = Path(__file__).resolve().parent / "lab" / "registry.sh"
# Capital words are filled in.
MANIFEST = f"""\
apiVersion: mngen/v1
name: small
resources: {{nodes: 2, gpus: 4, cpus: 2, shm: 1G}}
image:
  repository: "REGISTRY/rl/small"
  builder: classic
  variants: {{cuda: {{tag: "1", base: "REGISTRY/base/debian:12", toolkit: "12.8"}}}}
  torch: {{guard: false}}
  steps: [{{run: "echo TEXT >/opt/made"}}]
  self_test: [{{run: "grep made /opt/made"}}]
ray: {{version: {NEW_RAY}, ready_timeout: 180}}
env: {{RAY_memory_monitor_refresh_ms: 0}}
setup: |
  grep made /opt/made
  source {LAB}/ray/ray-{NEW_RAY}/bin/activate
driver: {{command: [python3, {LAB}/driver.py]}}
targets:
  docker:
    kind: slurm
    runtime: docker
    # The image has no driver of NVIDIA's; --gpus would bring its tool in.
    container: {{options: [--volume, "{LAB}:{LAB}", --volume, "{LAB}/bin/nvidia-smi:/usr/local/bin/nvidia-smi"]}}
  digest:
    kind: slurm
    runtime: apptainer
    resources: {{nodes: 1}}
    container: {{options: [--bind, {LAB}]}}
  sif:
    kind: slurm
    runtime: apptainer
    resources: {{nodes: 1}}
    image: {{sif: {WORK}/out/images/cuda/small.sif}}
    container: {{options: [--bind, {LAB}]}}
"""


class User:
    """Alice on the first node of a cluster with Docker, a registry and mngen.

    Attributes:
        lab: The cluster.
        registry: Its registry, as `ADDRESS:PORT`.
    """

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.registry = f"{lab.shape.addresses(LOGIN_HOST)[0]}:5000"
        lab.folders("alice", WORK, f"{WORK}/cache")
        lab.path(f"{LAB}/registry.sh").write_text(SCRIPT.read_text())
        lab.run("bash", f"{LAB}/registry.sh", self.registry)
        base = f"{self.registry}/base/debian:12"
        lab.run("docker", "tag", IMAGES[0], base, node="node1")
        lab.run("docker", "push", "--quiet", base, node="node1")
        code = lab.path(f"{LAB}/mngen/mngen")
        for source, target in (
            ("generator/mngen", code),
            ("templates", code / "templates"),
            ("schemas", code / "schemas"),
        ):
            shutil.copytree(ROOT / source, target, ignore=shutil.ignore_patterns("__pycache__"))
        # Apptainer's own cache is no leftover of a job.
        self.env = (f"APPTAINER_CACHEDIR={WORK}/cache",)

    def write(self, text: str) -> None:
        """Write the manifest; `text` is what its image differs by."""
        self.lab.path(f"{WORK}/manifest.yaml").write_text(
            MANIFEST.replace("REGISTRY", self.registry).replace("TEXT", text)
        )

    def mngen(self, *words: str) -> str:
        """Run mngen, which has to succeed; what it printed."""
        packages = f"{LAB}/ray/mngen"
        path = (f"PATH={packages}/bin:{PATH}", f"PYTHONPATH={LAB}/mngen:{packages}", "PYTHONDONTWRITEBYTECODE=1")
        argv = ("python3", "-m", "mngen", *words)
        return self.lab.run(*argv, node="node1", user="alice", cwd=WORK, env=(*path, *self.env)).stdout

    def job(self, target: str) -> Outcome:
        """Run a target's job to its end, after which nothing is left on the nodes."""
        before = Before.of(self.lab)
        outcome = patient(lambda: send(self.lab, WORK, target, env=self.env))
        before.expect_nothing_left()
        return outcome

    def text(self, target: str) -> str:
        """A target's job file."""
        return self.lab.path(f"{WORK}/out/{target}/job.sbatch").read_text()


@pytest.fixture
def alice(cluster: Callable[[Shape], Lab]) -> User:
    """On two nodes."""
    return User(cluster(Shape(gpus=4, engine="docker")))


def real_built_pushed_locked_and_run(alice: User, record_property: Callable[[str, object], None]) -> None:
    """Jobs pull by digest with Docker and Apptainer or have the SIF; an image of another description is refused."""
    record_property("runtime", "docker, apptainer")
    alice.write("made")
    alice.mngen("lock")
    alice.mngen("render", "manifest.yaml")
    alice.mngen("build-image", "--push", "--sif")
    alice.mngen("render", "manifest.yaml")
    asked = ("docker", "image", "inspect", "--format={{index .RepoDigests 0}}", f"{alice.registry}/rl/small:1")
    pinned = alice.lab.run(*asked, node="node1").stdout.strip()
    assert "/rl/small@sha256:" in pinned
    for target in ("docker", "digest"):
        assert pinned in alice.text(target)
        assert f"{alice.registry}/rl/small:1" not in alice.text(target)
    for target, nodes in (("docker", 2), ("digest", 1), ("sif", 1)):
        outcome = alice.job(target)
        outcome.expect("COMPLETED", 0, "driver")
        assert outcome.report["tasks"] == list(alice.lab.shape.names[:nodes])
        assert "was not built from this" not in outcome.log
    # The node that did not build it has it under its digest alone.
    tags = alice.lab.run("docker", "image", "inspect", "--format={{.RepoTags}}", pinned, node="node2").stdout
    assert tags.strip() == "[]"
    alice.write("made otherwise")
    alice.mngen("render", "manifest.yaml")
    outcome = alice.job("docker")
    outcome.expect("FAILED", 77, "a node failed its check")
    assert "was built from another description" in outcome.log
    record_property("end", "COMPLETED by digest and from the SIF; another description: FAILED 77:0")
