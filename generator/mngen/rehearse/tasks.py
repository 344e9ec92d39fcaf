"""Generated task files, run as SkyPilot and dstack run them (on nodes that play the containers)."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mngen.errors import UsageError
from mngen.rehearse import launchers
from mngen.rehearse.cluster import Cluster, Result
from mngen.rehearse.task_file import RUN_ARGS, Task, read_dstack, read_skypilot

SKYPILOT, DSTACK = "task.sky.yaml", "task.dstack.yml"


def skypilot(cluster: Cluster, folder: Path, *, timeout: float = 20.0, **how: Any) -> list[Result]:
    """Launch `task.sky.yaml` and wait for its end; see :func:`start_skypilot`."""
    return start_skypilot(cluster, folder / SKYPILOT, **how).wait(timeout)


def dstack(cluster: Cluster, folder: Path, *, timeout: float = 20.0, **how: Any) -> list[Result]:
    """Apply `task.dstack.yml` and wait for its end; see :func:`start_dstack`."""
    return start_dstack(cluster, folder / DSTACK, **how).wait(timeout)


def start_skypilot(cluster: Cluster, file: Path, *, env: Mapping[str, str] | None = None) -> launchers.Group:
    """Launch a task: file mounts become links, its variables and the given `env` (secrets) are exported.

    Raises ``UsageError`` for what `sky launch` refuses, or what one machine cannot show.
    """
    task = _of_size(read_skypilot(file.read_text(), file.name), file, cluster)
    for target, source in task.files.items():
        if not target.startswith("~/"):
            if target not in cluster.options.fresh:
                raise UsageError(f"{file.name}: {target} is outside the home folder, where nothing can be linked here")
            continue
        link = cluster.home / target.removeprefix("~/")
        if source is None:  # what a bucket holds is not here
            link.mkdir(parents=True, exist_ok=True)
            continue
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file.parent / Path(source).expanduser())
    given = {**task.env, **(env or {})}
    missing = [how for name, how in task.wanted.items() if name not in given]
    if missing:
        raise UsageError(f"{file.name}: `sky launch` wants {missing[0]}")
    return launchers.start_skypilot(cluster, task.commands[0], env=given)


def start_dstack(
    cluster: Cluster, file: Path, *, args: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> launchers.Group:
    """Apply `FILE -- ARGS` inside the image, with its files mounted; dstack quotes by `shlex.join`.

    Raises ``UsageError`` for what `dstack apply` refuses.
    """
    task = _of_size(read_dstack(file.read_text(), file.name), file, cluster)
    mounts = []
    for target, source in task.files.items():
        place = cluster.home / target[2:] if target.startswith("~/") else cluster.work / target
        mounts += ["-V", f"{file.parent / Path(source or target).expanduser()}:{place}"]
    given = {**task.env, **(env or {})}
    missing = [name for name in task.wanted if name not in given]
    if missing:
        raise UsageError(f"{file.name}: `dstack apply` takes {missing[0]} from the environment, where it is not")
    return launchers.start_dstack(
        cluster,
        [command.replace(RUN_ARGS, shlex.join(args)) for command in task.commands],
        env=given,
        shell=task.shell,
        inside=["enter-image", f"--image={task.image}", *mounts],
    )


def _of_size(task: Task, file: Path, cluster: Cluster) -> Task:
    if task.nodes != len(cluster.names):
        raise UsageError(f"{file.name} is for {task.nodes} nodes, the cluster has {len(cluster.names)}")
    return task
