"""Launchers other than Slurm: how SkyPilot and dstack run the commands of a task on each node."""

import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from mngen.rehearse.cluster import Cluster, Process, Result

# What SkyPilot writes around a task's `run` text before it runs it with `bash -i` (its log_lib).
SKY_SCRIPT = """#!/bin/bash
source ~/.bashrc
set -a
. $(conda info --base 2> /dev/null)/etc/profile.d/conda.sh > /dev/null 2>&1 || true
set +a
export PYTHONUNBUFFERED=1
cd {workdir}
{exports}
{run}
"""


def _addresses(cluster: Cluster) -> list[str]:
    return [cluster.net.addresses(number)[0] for number in range(1, len(cluster.names) + 1)]


def _kill_tree(cluster: Cluster, process: Process, number: int = signal.SIGKILL) -> None:
    rows = cluster.processes()
    wanted, grown = {process.pid}, True
    while grown:
        more = {row["pid"] for row in rows if row["parent"] in wanted} - wanted
        wanted |= more
        grown = bool(more)
    cluster.kill(sorted(wanted), number)


def _wait_all(
    cluster: Cluster, running: Sequence[Process], timeout: float, *, fail_fast: bool, master_ends: bool
) -> list[Result]:
    """Wait for all; the failure of one, or the end of rank 0, may end the others."""
    deadline = time.monotonic() + timeout
    stopped = False
    while any(process.poll() is None for process in running):
        ended = [process.poll() for process in running]
        failed = fail_fast and any(status not in (None, 0) for status in ended)
        if not stopped and (failed or (master_ends and ended[0] is not None)):
            stopped = True
            for process in running:
                if process.poll() is None:
                    _kill_tree(cluster, process, signal.SIGKILL if failed else signal.SIGTERM)
        if time.monotonic() > deadline:
            raise TimeoutError(
                f"still running after {timeout} s\n"
                + "\n".join(process.out.read_text() for process in running)
                + cluster.story()
            )
        time.sleep(0.02)
    return [process.wait(1) for process in running]


def skypilot(
    cluster: Cluster,
    run: str,
    *,
    env: Mapping[str, str] | None = None,
    workdir: Path | None = None,
    timeout: float = 20.0,
) -> list[Result]:
    """Run a task's `run` text on every node as SkyPilot does: from a file, by `bash -i`; one failure kills the rest."""
    running = []
    (cluster.home / ".bashrc").touch()
    for rank, name in enumerate(cluster.names):
        variables = {
            "SKYPILOT_NODE_IPS": "\n".join(_addresses(cluster)),
            "SKYPILOT_NODE_RANK": str(rank),
            "SKYPILOT_NUM_NODES": str(len(cluster.names)),
            "SKYPILOT_NUM_GPUS_PER_NODE": str(cluster.options.gpus),
            "SKYPILOT_TASK_ID": "sky-2026-01-01-00-00-00-000000_cluster_task-1",
            **(env or {}),
        }
        script = cluster.top / f"sky_app_{rank}"
        exports = "\n".join(f"export {key}={_quoted(value)}" for key, value in variables.items())
        script.write_text(SKY_SCRIPT.format(workdir=_quoted(str(workdir or cluster.work)), exports=exports, run=run))
        running.append(cluster.spawn(["/bin/bash", "-i", str(script)], node=name))
    return _wait_all(cluster, running, timeout, fail_fast=True, master_ends=False)


def dstack(
    cluster: Cluster,
    commands: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    shell: str = "bash",
    inside: Sequence[str] = (),
    timeout: float = 20.0,
) -> list[Result]:
    """Run `commands` on every node as dstack does: joined by ` && `, `SHELL -i -c` on a terminal.

    The end of rank 0 stops the rest. `inside` is a command prefix that enters the image.
    """
    for item in commands:
        if "${{" in item:
            raise ValueError(f"dstack interpolates this itself or refuses it: {item!r}")
    text = " && ".join(item.replace("$$", "$", 1) for item in commands)
    running = []
    for rank, name in enumerate(cluster.names):
        variables = {
            "DSTACK_NODES_IPS": "\n".join(_addresses(cluster)),
            "DSTACK_NODE_RANK": str(rank),
            "DSTACK_NODES_NUM": str(len(cluster.names)),
            "DSTACK_MASTER_NODE_IP": _addresses(cluster)[0],
            "DSTACK_GPUS_PER_NODE": str(cluster.options.gpus),
            "DSTACK_GPUS_NUM": str(cluster.options.gpus * len(cluster.names)),
            "DSTACK_RUN_ID": "00000000-0000-4000-8000-000000000001",
            "DSTACK_RUN_NAME": "run",
            "DSTACK_JOB_ID": f"00000000-0000-4000-8000-00000000001{rank}",
            **(env or {}),
        }
        running.append(
            cluster.spawn([*inside, f"{cluster.root}/bin/sim-pty", shell, "-i", "-c", text], node=name, env=variables)
        )
    return _wait_all(cluster, running, timeout, fail_fast=True, master_ends=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
