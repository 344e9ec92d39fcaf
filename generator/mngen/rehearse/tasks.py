"""Generated task files, run as SkyPilot and dstack run them (on nodes that play the containers)."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from mngen.errors import UsageError
from mngen.rehearse import launchers
from mngen.rehearse.cluster import Cluster, Result

RUN_ARGS = "${{ run.args }}"
SKYPILOT, DSTACK = "task.sky.yaml", "task.dstack.yml"


def skypilot(cluster: Cluster, folder: Path, *, timeout: float = 20.0, **how: Any) -> list[Result]:
    """Launch `task.sky.yaml` and wait for its end; see :func:`start_skypilot`."""
    return start_skypilot(cluster, folder / SKYPILOT, **how).wait(timeout)


def dstack(cluster: Cluster, folder: Path, *, timeout: float = 20.0, **how: Any) -> list[Result]:
    """Apply `task.dstack.yml` and wait for its end; see :func:`start_dstack`."""
    return start_dstack(cluster, folder / DSTACK, **how).wait(timeout)


def start_skypilot(cluster: Cluster, file: Path, *, env: Mapping[str, str] | None = None) -> launchers.Group:
    """Launch a task: file mounts become links, `envs` and the given `env` (secrets) are exported.

    Raises ``UsageError`` for what `sky launch` refuses, or what one machine cannot show.
    """
    task = _task(file, cluster, "num_nodes")
    for target, source in (task.get("file_mounts") or {}).items():
        if not target.startswith("~/"):
            if target.rstrip("/") not in cluster.options.fresh:
                raise UsageError(f"{file.name}: {target} is outside the home folder, where nothing can be linked here")
            continue
        link = cluster.home / target.removeprefix("~/")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file.parent / str(source))
    given = {**{name: str(value) for name, value in (task.get("envs") or {}).items()}, **(env or {})}
    missing = [name for name, value in (task.get("secrets") or {}).items() if value is None and name not in given]
    if missing:
        raise UsageError(f"{file.name}: `sky launch` wants --secret {missing[0]}")
    return launchers.start_skypilot(cluster, str(task.get("run") or ""), env=given)


def start_dstack(
    cluster: Cluster, file: Path, *, args: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> launchers.Group:
    """Apply `FILE -- ARGS` inside the image, with its files mounted; dstack quotes by `shlex.join`.

    Raises ``UsageError`` for what `dstack apply` refuses.
    """
    task = _task(file, cluster, "nodes")
    mounts = []
    for item in task.get("files") or ():
        source, _, target = str(item).partition(":")
        mounts += ["-V", f"{file.parent / source}:{target}"]
    items = [str(item) for item in task.get("env") or ()]
    listed = dict(item.partition("=")[::2] for item in items if "=" in item)
    missing = [item for item in items if "=" not in item and item not in (env or {})]
    if missing:
        raise UsageError(f"{file.name}: `dstack apply` takes {missing[0]} from the environment, where it is not")
    commands = [str(command).replace(RUN_ARGS, shlex.join(args)) for command in task.get("commands") or ()]
    return launchers.start_dstack(
        cluster,
        commands,
        env={**listed, **(env or {})},
        shell=str(task.get("shell") or "sh"),
        inside=["enter-image", f"--image={task.get('image') or 'default'}", *mounts],
    )


def _task(file: Path, cluster: Cluster, nodes: str) -> dict[str, Any]:
    task = yaml.safe_load(file.read_text())
    if not isinstance(task, dict):
        raise UsageError(f"{file.name} holds no task")
    if (count := task.get(nodes, 1)) != len(cluster.names):
        raise UsageError(f"{file.name} is for {count} nodes, the cluster has {len(cluster.names)}")
    return task
