"""Runs generated launch files on simulated clusters: real kernel, real bash, stand-ins for Slurm, Ray and containers.

A `Cluster` is a set of Linux namespaces (one PID namespace for all, a network, mount, UTS and IPC namespace a
node) whose PID 1 is a child of this process. Everything in it ends with that process.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from mngen.errors import EnvironmentFailure
from mngen.rehearse import config, layout
from mngen.rehearse.folders import make_folder, undisturbed
from mngen.rehearse.namespaces import ALLOW, unshare_command
from mngen.rehearse.nets import NETS
from mngen.rehearse.options import Options
from mngen.rehearse.process import KILL, Job, JobResult, Process, Result
from mngen.rehearse.stand_ins.simlib import wire

__all__ = ["Cluster", "Job", "JobResult", "Options", "Process", "Result"]


class Cluster:
    """One simulated cluster; `close` ends it."""

    lab_module = "lab"
    hidden: frozenset[str] = frozenset()
    """The machine's programs that nodes do not have."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.top, lock = make_folder()
        self.root, self.home, self.work = (self.top / name for name in ("sim", "home", "work"))
        self.lab: subprocess.Popen[bytes] | None = None
        self.net = NETS[options.net] if isinstance(options.net, str) else options.net
        self.names = list(options.names) or [f"node{number}" for number in range(1, options.nodes + 1)]
        self.held = [lock]
        self.sockets: list[socket.socket] = []
        try:
            self._make()
        except BaseException:
            self.close()
            raise

    # ---- life ----

    def _make(self) -> None:
        for folder in (self.home, self.work):
            folder.mkdir()
        self.farm = layout.farm(self.hidden | frozenset(self.options.missing))
        self._write()
        self._start()

    def _write(self) -> None:
        chosen = self.options
        hosts = {name: self.net.hosts(self.names, number) for number, name in enumerate(self.names, start=1)}
        settings = {**config.config(chosen, self.names, self.net, self.top), **self._own_settings()}
        layout.make(self.root, settings, hosts, ipv4_first=self.net.ipv4_first, gpu_tools=config.gpu_tools(chosen))
        self.set_faults(chosen.faults)

    def _own_settings(self) -> dict[str, Any]:
        """What the stand-ins are told of this kind of node."""
        return {"plain": False, "ip": layout.find_ip()}

    def _command(self) -> tuple[str, ...]:
        """What the first process is started with."""
        return unshare_command()

    def moved(self, text: str) -> str:
        """A text of the launch file as the nodes can run it."""
        return text

    def shown(self, text: str) -> str:
        """What the nodes said, with paths as the launch file has them."""
        return text

    def _start(self) -> None:
        found = f"import sys; sys.path.insert(0, {str(layout.STAND_INS)!r})"
        code = f"{found}; from simlib.{self.lab_module} import main; main({str(self.root)!r})"
        with (self.root / "lab.log").open("w") as log:
            lab = self.lab = subprocess.Popen(
                [*self._command(), layout.PYTHON, "-IS", "-c", code],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={"PATH": os.defpath},
            )
        deadline = time.monotonic() + 60
        while not (self.root / "lab.sock").exists():
            if lab.poll() is not None or time.monotonic() > deadline:
                said = f"the simulated cluster did not start:\n{(self.root / 'lab.log').read_text()}"
                raise EnvironmentFailure(said, hint=f"{ALLOW}; or --nodes-as processes")
            time.sleep(0.005)

    def close(self) -> None:
        """End every process of the cluster and remove its folder; a signal to end waits so long."""
        with undisturbed():
            if self.lab is not None:
                self._end(self.lab)
            for fd in self.held:
                os.close(fd)
            for sock in self.sockets:
                sock.close()
            shutil.rmtree(self.top, ignore_errors=True)

    def _end(self, lab: subprocess.Popen[bytes]) -> None:
        """End the first process, and with it all others."""
        if lab.stdin is not None:
            lab.stdin.close()
        lab.kill()
        lab.wait()

    # ---- looking ----

    def records(self, kind: str) -> list[dict[str, Any]]:
        """What the stand-ins wrote down.

        Kinds are srun, sbatch, scontrol, scancel, ray, ray_node, ray_worker, ray_init, container, refused, driver,
        service.
        """
        path = self.root / "records" / f"{kind}.jsonl"
        whole = path.read_text().rpartition("\n")[0] if path.exists() else ""  # the last one may be half written yet
        return [json.loads(line) for line in whole.splitlines()]

    def processes(self) -> list[dict[str, Any]]:
        """Processes in the cluster now, without the simulation's own."""
        found: list[dict[str, Any]] = self._ask({"do": "ps"})["processes"]
        return found

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        with wire.ask_lab(str(self.root), message) as sock:
            return wire.receive(sock)[0]

    def wait_for(self, condition: Any, timeout: float = 10.0, what: str = "a condition") -> Any:
        """Poll until the callable gives something true; its value."""
        deadline = time.monotonic() + timeout
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited {timeout} s for {what}\n" + self.story())
            time.sleep(0.02)

    def wait_record(self, kind: str, count: int = 1, timeout: float = 10.0) -> list[dict[str, Any]]:
        """Wait until a kind of record is there `count` times."""
        self.wait_for(lambda: len(self.records(kind)) >= count, timeout, f"{count} records of {kind}")
        return self.records(kind)

    def story(self) -> str:
        """Everything worth reading when a wait is given up."""
        texts = [f"lab: {(self.root / 'lab.log').read_text()}"]
        texts += [f"process {row['node']} {row['pid']} {' '.join(row['argv'])[:150]}" for row in self.processes()]
        for path in sorted(self.work.rglob("*")):
            if path.is_file() and path.suffix in (".out", ".log", ".err"):
                texts.append(f"--- {path}\n{path.read_text(errors='replace')[-6000:]}")
        for path in sorted((self.root / "nodes").rglob("*.log")):
            texts.append(f"--- {path}\n{path.read_text(errors='replace')[-2000:]}")
        return "\n".join(texts)

    def containers(self) -> list[dict[str, Any]]:
        """Containers that docker or podman still know, with node, name and state."""
        found = []
        for path in sorted((self.root / "state").glob("containers-*.json")):
            entries = json.loads(path.read_text())
            found += [
                {"node": path.stem.removeprefix("containers-"), "name": name, **entry}
                for name, entry in entries.items()
            ]
        return found

    def tmp(self, node: str) -> Path:
        """A node's own /tmp, seen from outside."""
        return self.root / "nodes" / node / "tmp"

    def left(self, node: str) -> list[Path]:
        """What lies in a node's /tmp, without the way to this checkout, which may be below /tmp itself."""
        root = Path(__file__).resolve().parents[2]
        own = root.parts[2] if root.is_relative_to("/tmp") else ""
        return [path for path in self.tmp(node).iterdir() if path.name != own]

    def read(self, path: str) -> str:
        """A file's text as the nodes see it; an empty one where there is no such file."""
        if Path(path).is_relative_to(self.top):
            return Path(path).read_text(errors="replace") if Path(path).exists() else ""
        return self.run(["cat", path]).stdout

    # ---- faults ----

    def set_faults(self, faults: dict[str, dict[str, Any]]) -> None:
        """Faults by node name (`*`: all nodes); they count from now on, also in a running job.

        ray_start_delay, gcs_delay (seconds), ray_never_join, ray_die_after (seconds until the raylet is killed),
        ray_gpus (how many Ray sees), ray_start_exit (status), gpus (how many nvidia-smi sees), gpu_processes (lines),
        no_docker, driver and service (see `simlib.probes`).
        """
        path = self.root / "faults.json"
        path.with_suffix(".new").write_text(json.dumps(faults))
        path.with_suffix(".new").replace(path)

    def cut(self, node: str) -> None:
        """Unplug a node: it falls silent."""
        self._ask({"do": "cut", "node": node})

    def kill(self, pids: list[int], number: int = KILL) -> None:
        """Signal processes by the numbers that `processes` gives."""
        self._ask({"do": "kill", "pids": pids, "signal": int(number)})

    def kill_process(self, node: str, name: str) -> None:
        """Kill the processes on a node whose kernel name is `name` (raylet, gcs_server, dashboard…)."""
        self.kill([row["pid"] for row in self.processes() if row["node"] == node and row["name"] == name])

    # ---- running ----

    def hold(self) -> Any:
        """The reading end of a pipe that stays open: a stdin that never ends."""
        read, write = os.pipe()
        self.held.append(write)
        return os.fdopen(read, "rb")

    def environment(self, *, ray: bool | None = None) -> dict[str, str]:
        """The environment of a login shell there."""
        folders = [f"{self.root}/venv/bin"] if (self.options.ray_on_host if ray is None else ray) else []
        return {
            "PATH": ":".join([*folders, f"{self.root}/bin", str(self.farm)]),
            "HOME": str(self.home),
            "USER": "root",
            "LOGNAME": "root",
            "SHELL": "/bin/bash",
            "LANG": "C.UTF-8",
        }

    def spawn(
        self,
        argv: list[str],
        *,
        node: str = "login",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        stdin: Any = None,
    ) -> "Process":
        """Start a process on a node (or the login node)."""
        return Process(
            self, argv, node=node, env={**self.environment(), **(env or {})}, cwd=cwd or self.work, stdin=stdin
        )

    def run(self, argv: list[str], *, timeout: float = 10.0, **where: Any) -> Result:
        """Run a process to its end."""
        return self.spawn(argv, **where).wait(timeout)

    def submit(
        self,
        script: str | Path,
        *args: str,
        options: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
        limit: tuple[float, float] | None = None,
    ) -> "Job":
        """`sbatch` a script text or file from the work folder.

        `limit` gives the seconds after which the signal of `--signal` is sent and the time limit is reached.
        """
        path = self.work / "job.sbatch"
        if isinstance(script, Path):
            path = script
        else:
            path.write_text(script)
        state = self.root / "state" / "next-limit.json"
        state.write_text(json.dumps({"limit": limit}))
        done = self.run(["sbatch", "--parsable", *options, str(path), *args], env=env)
        state.unlink()
        return Job(self, done)

    def sbatch(self, script: str | Path, *args: str, timeout: float = 20.0, **how: Any) -> JobResult:
        """Submit, wait, look."""
        return self.submit(script, *args, **how).wait(timeout)

    def run_nodes(
        self,
        argvs: list[list[str]],
        envs: list[dict[str, str]] | None = None,
        *,
        timeout: float = 20.0,
    ) -> list[Result]:
        """Start one command on each node at the same time (a launcher without Slurm); results by rank."""
        running = [
            self.spawn(argv, node=self.names[rank], env=(envs or [{}] * len(argvs))[rank])
            for rank, argv in enumerate(argvs)
        ]
        deadline = time.monotonic() + timeout
        return [process.wait(max(0.1, deadline - time.monotonic())) for process in running]
