"""Launchers other than Slurm: how SkyPilot and dstack run the commands of a task on each node."""

import shlex
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mngen.rehearse.cluster import Cluster, Process, Result
from mngen.rehearse.process import KILL

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


def addresses(cluster: Cluster) -> list[str]:
    """Addresses as clouds, Kubernetes and dstack tell them: of IPv6 only where there are no others.

    dstack takes an instance's internal address from its cloud, or of a host of one's own any of IPv4
    (`get_ip_from_network` in its src/dstack/_internal/utils/network.py).
    """
    return [
        next((one for one in cluster.net.addresses(number) if ":" not in one), cluster.net.addresses(number)[0])
        for number in range(1, len(cluster.names) + 1)
    ]


def _signal_tree(cluster: Cluster, process: Process, number: int) -> None:
    """Signal a process and all below it.

    What is killed is stopped first, so that it starts nothing more while the rest is looked for. What is told to
    end is not: a shell with job control takes a child that stops for one that has ended.
    """
    wanted: set[int] = set()
    found = {process.pid}
    while found:
        if number == KILL:
            cluster.kill(sorted(found), signal.SIGSTOP)
        wanted |= found
        found = {row["pid"] for row in cluster.processes() if row["parent"] in wanted} - wanted
    cluster.kill(sorted(wanted), number)


class Group:
    """The processes of one run, one a node: how the launcher reacts to an end, and how the run has ended.

    The failure of one (`fail_fast`) or the end of rank 0 (`master_ends`) may end the others.
    """

    def __init__(
        self, cluster: Cluster, running: Sequence[Process], *, fail_fast: bool = False, master_ends: bool = False
    ) -> None:
        self.cluster = cluster
        self.running = running
        self.fail_fast = fail_fast
        self.master_ends = master_ends
        self.failed: int | None = None
        """The status that made the launcher kill the others."""
        self._stopped = False

    def ended(self) -> bool:
        """Whether all have ended; lets the launcher react."""
        ended = [process.poll() for process in self.running]
        failed = next((status for status in ended if status not in (None, 0)), None) if self.fail_fast else None
        if not self._stopped and (failed or (self.master_ends and ended[0] is not None)):
            self._stopped, self.failed = True, failed
            self._end(signal.SIGKILL if failed else signal.SIGTERM)
        return None not in ended

    def status(self) -> int | None:
        """How the run has ended, once it has: as rank 0 did, or as the one whose failure ended the rest."""
        if not self.ended():
            return None
        own = self.running[0].poll()
        return own if self.failed is None else self.failed

    def stop(self) -> None:
        """Cancel the run."""
        self._end(signal.SIGTERM)

    def said(self) -> str:
        """All that was written so far, node by node."""
        files = [path for process in self.running for path in (process.out, process.err)]
        return "".join(path.read_text(errors="replace") for path in files)

    def wait(self, timeout: float) -> list[Result]:
        """Wait for all."""
        deadline = time.monotonic() + timeout
        while not self.ended():
            if time.monotonic() > deadline:
                raise TimeoutError(f"still running after {timeout} s\n{self.said()}{self.cluster.story()}")
            time.sleep(0.02)
        return [process.wait(1) for process in self.running]

    def _end(self, number: signal.Signals) -> None:
        for process in self.running:
            if process.poll() is None:
                _signal_tree(self.cluster, process, number)


def skypilot(cluster: Cluster, run: str, *, timeout: float = 20.0, **how: Any) -> list[Result]:
    """Run a task's `run` text on every node to its end."""
    return start_skypilot(cluster, run, **how).wait(timeout)


def start_skypilot(
    cluster: Cluster, run: str, *, env: Mapping[str, str] | None = None, workdir: Path | None = None
) -> Group:
    """Start a task's `run` text on every node as SkyPilot does: from a file, by `bash -i`; a failure kills the rest."""
    running = []
    (cluster.home / ".bashrc").touch()
    for rank, name in enumerate(cluster.names):
        variables = {
            "SKYPILOT_NODE_IPS": "\n".join(addresses(cluster)),
            "SKYPILOT_NODE_RANK": str(rank),
            "SKYPILOT_NUM_NODES": str(len(cluster.names)),
            "SKYPILOT_NUM_GPUS_PER_NODE": str(cluster.options.gpus),
            "SKYPILOT_TASK_ID": "sky-2026-01-01-00-00-00-000000_cluster_task-1",
            **(env or {}),
        }
        script = cluster.top / f"sky_app_{rank}"
        exports = "\n".join(f"export {key}={shlex.quote(value)}" for key, value in variables.items())
        place = shlex.quote(str(workdir or cluster.work))
        script.write_text(SKY_SCRIPT.format(workdir=place, exports=exports, run=run))
        running.append(cluster.spawn(["/bin/bash", "-i", str(script)], node=name))
    return Group(cluster, running, fail_fast=True)


def dstack(cluster: Cluster, commands: Sequence[str], *, timeout: float = 20.0, **how: Any) -> list[Result]:
    """Run `commands` on every node to their end."""
    return start_dstack(cluster, commands, **how).wait(timeout)


def start_dstack(
    cluster: Cluster,
    commands: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    shell: str = "bash",
    inside: Sequence[str] = (),
) -> Group:
    """Start `commands` on every node as dstack does: joined by ` && `, `SHELL -i -c` on a terminal.

    The end of rank 0 stops the rest. `inside` is a command prefix that enters the image.
    """
    for item in commands:
        if "${{" in item:
            raise ValueError(f"dstack interpolates this itself or refuses it: {item!r}")
    text = " && ".join(item.replace("$$", "$", 1) for item in commands)
    running = []
    for rank, name in enumerate(cluster.names):
        variables = {
            "DSTACK_NODES_IPS": "\n".join(addresses(cluster)),
            "DSTACK_NODE_RANK": str(rank),
            "DSTACK_NODES_NUM": str(len(cluster.names)),
            "DSTACK_MASTER_NODE_IP": addresses(cluster)[0],
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
    return Group(cluster, running, fail_fast=True, master_ends=True)
