"""Generated task files, run as SkyPilot and dstack run them (on nodes that play the containers)."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from mngen.rehearse import launchers
from mngen.rehearse.cluster import Cluster, Result

RUN_ARGS = "${{ run.args }}"


def _task(path: Path) -> dict[str, Any]:
    task: dict[str, Any] = yaml.safe_load(path.read_text())
    return task


def skypilot(
    cluster: Cluster, folder: Path, *, env: Mapping[str, str] | None = None, timeout: float = 20.0
) -> list[Result]:
    """Launch `task.sky.yaml`: file mounts become links, `envs` and the given `env` (secrets) are exported."""
    task = _task(folder / "task.sky.yaml")
    assert task["num_nodes"] == len(cluster.names)
    for target, source in task.get("file_mounts", {}).items():
        assert target.startswith("~/"), f"{target} is outside the home folder; the simulation has one machine's root"
        link = cluster.home / target.removeprefix("~/")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(folder / source)
    given = {**{name: str(value) for name, value in task.get("envs", {}).items()}, **(env or {})}
    missing = [name for name, value in task.get("secrets", {}).items() if value is None and name not in given]
    assert not missing, f"`sky launch` wants --secret for {missing}"
    return launchers.skypilot(cluster, task["run"], env=given, timeout=timeout)


def dstack(
    cluster: Cluster,
    folder: Path,
    *,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    timeout: float = 20.0,
) -> list[Result]:
    """Apply `task.dstack.yml -- ARGS` inside the image, with its files mounted; dstack quotes by `shlex.join`."""
    task = _task(folder / "task.dstack.yml")
    assert task["nodes"] == len(cluster.names)
    mounts = []
    for item in task.get("files", ()):
        source, _, target = item.partition(":")
        mounts += ["-V", f"{folder / source}:{target}"]
    listed = dict(item.partition("=")[::2] for item in task.get("env", ()) if "=" in item)
    named = [item for item in task.get("env", ()) if "=" not in item]
    assert not [name for name in named if name not in (env or {})], f"`dstack apply` takes {named} from the environment"
    commands = [command.replace(RUN_ARGS, shlex.join(args)) for command in task["commands"]]
    return launchers.dstack(
        cluster,
        commands,
        env={**listed, **(env or {})},
        shell=task.get("shell", "sh"),
        inside=["enter-image", f"--image={task['image']}", *mounts],
        timeout=timeout,
    )
