"""Launch files rendered from a manifest straight into a simulated cluster's work folder."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml
from msgspec.structs import replace

from mngen import render as renderer
from mngen import targets
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.model import Manifest
from mngen.plan import Language
from mngen.rehearse.cluster import Cluster
from mngen.render.environment import environment

DRIVER = {"command": ["sim-driver"]}


def manifest_text(cluster: Cluster, manifest: dict[str, Any], target: str = "job") -> str:
    """A whole manifest: of a plain Slurm one only what differs is needed; lists and maps replace."""
    filled = {
        "apiVersion": "mngen/v1",
        "name": "sim",
        "driver": DRIVER,
        "targets": {target: {"kind": "slurm"}},
        **manifest,
        "resources": {"nodes": len(cluster.names), "gpus": cluster.options.gpus, **manifest.get("resources", {})},
    }
    return yaml.safe_dump(filled, sort_keys=False, allow_unicode=True)


def render(cluster: Cluster, manifest: dict[str, Any] | str, target: str = "job") -> Path:
    """Render one target without linting it; its folder, with the log folder beside it that `submit.sh` would make."""
    text = manifest if isinstance(manifest, str) else manifest_text(cluster, manifest, target)
    loaded = load(text, "manifest.yaml", LoadOptions(targets=(target,)))
    if loaded.manifest is None:
        raise AssertionError("\n".join(str(item) for item in loaded.diagnostics) + "\n" + text)
    return place(cluster, loaded.manifest, target)


def module(*names: str, slurm: bool = True) -> str:
    """Shell modules as a file of Slurm's has them, or one of another kind."""
    env, asked = (
        environment(Language.BASH),
        {"s": SimpleNamespace(on_slurm=slurm, patience=300, deaf_driver=slurm, warns_driver=True)},
    )
    files = ([f"shell/{name}.sh", f"shell/{name}.sh.j2"] for name in names)
    return "\n".join(env.select_template(pair).render(asked) for pair in files)


def functions(runtime: str, *names: str) -> str:
    """Functions of a two-node job that has texts for the host and for inside, as the templates make them today."""
    target: dict[str, Any] = {"kind": "slurm", "runtime": runtime, "host_setup": "true"}
    if runtime == "prefix":
        target["container"] = {"prefix": ["shifter", "--image=a/b:1"]}
    elif runtime != "none":
        target["image"] = {"ref": "a/b:1"}
    fields = {"apiVersion": "mngen/v1", "name": "a", "driver": DRIVER, "setup": "true", "targets": {"job": target}}
    fields["resources"] = {"nodes": 2, "shm": "64M"}
    loaded = load(yaml.safe_dump(fields), "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    made = renderer.render(targets.plan(loaded.manifest, partial=True), digest="").files
    (text,) = (file.text for file in made if file.path == "job/job.sbatch")
    found = [re.search(rf"^{name}\(\) (\{{\n.*?^\}}|\{{.*\}})\n", text, re.MULTILINE | re.DOTALL) for name in names]
    return "".join(match[0] for match in found if match)


def place(cluster: Cluster, manifest: Manifest, target: str) -> Path:
    """Write the files of one target of a loaded manifest into the work folder; the target's folder."""
    one = replace(manifest, targets=tuple(item for item in manifest.targets if item.name == target))
    plan = targets.plan(one, partial=True)
    for file in renderer.render(plan, digest=manifest.digest).files:
        path = cluster.work / "out" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
        path.chmod(file.mode)
    (cluster.work / "logs").mkdir(exist_ok=True)
    return cluster.work / "out" / target
