"""Runs generated launch files on simulated clusters: real kernel, real bash, stand-ins for Slurm, Ray and containers.

A `Cluster` is a set of Linux namespaces (one PID namespace for all, a network, mount, UTS and IPC namespace a
node) whose PID 1 is a child of the test. Everything in it ends with that process.
"""

import functools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import sim_layout
from sim_nets import NETS, Net

sys.path.insert(0, str(sim_layout.STUBS))

from simlib import wire  # noqa: E402 - the stubs' folder must be on the path first

FINAL = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")


@functools.cache
def unshare_command() -> tuple[str, ...]:
    """The shortest `unshare` call that works here: as root without, else with a user namespace."""
    base = ("unshare", "--net", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc")
    for command in (base, (*base, "--user", "--map-root-user")):
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    raise RuntimeError("the behaviour tests need Linux namespaces (root, or unprivileged user namespaces)")


@dataclass(frozen=True)
class Options:
    """What a test may choose; the defaults are a plain two-node cluster."""

    nodes: int = 2
    net: str | Net = "ipv4"
    names: tuple[str, ...] = ()
    slurm: str = "22.05"
    ray: str = "2.52.1"
    gpus: int = 0
    vendor: str = "cuda"
    cpus: int = 8
    shm: str = "64m"
    kill_wait: float = 2.0
    proctrack: str = "cgroup"
    pyxis: bool = False
    ray_on_host: bool = True
    gpu_tools: tuple[str, ...] | None = None
    gpu_env: tuple[str, ...] = ()
    first_gpu: int = 0
    constrain_gpus: bool = True
    missing: tuple[str, ...] = ()
    health_s: float = 1.5
    join_s: float = 60.0
    reconnect_s: float = 60.0
    busy_wait: float = 1.0
    requeue_delay: float = 0.1
    first_job: int = 1
    faults: dict[str, dict[str, Any]] = field(default_factory=dict)
    node: dict[str, dict[str, Any]] = field(default_factory=dict)
    image: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """A finished process."""

    status: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class JobResult:
    """A finished job.

    `status` is the batch script's exit status, `state` Slurm's word, `log` the text of its output file,
    `leftovers` the processes that are still there a moment later (each with node, pid, argv).
    """

    status: int
    state: str
    log: str
    submitted: Result
    leftovers: list[dict[str, Any]]
    job: dict[str, Any]


class Cluster:
    """One simulated cluster; use it as a context manager."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.top = Path(tempfile.mkdtemp(prefix="mns-", dir="/var/tmp"))
        self.top.chmod(0o755)
        self.root = self.top / "sim"
        self.home = self.top / "home"
        self.work = self.top / "work"
        for folder in (self.home, self.work):
            folder.mkdir()
        self.net = NETS[options.net] if isinstance(options.net, str) else options.net
        self.names = list(options.names) or [f"node{number}" for number in range(1, options.nodes + 1)]
        self.farm = sim_layout.farm(frozenset(options.missing))
        self.held: list[int] = []
        self.sockets: list[socket.socket] = []
        self._write()
        self._start()

    # ---- life ----

    def _write(self) -> None:
        chosen = self.options
        default_env = ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "GPU_DEVICE_ORDINAL")
        keep = [str(folder) for folder in (sim_layout.STUBS, self.top) if str(folder).startswith("/tmp/")]
        nodes = []
        for number, name in enumerate(self.names, start=1):
            entry = {"name": name, "cpus": chosen.cpus, "gpus": chosen.gpus, "shm": chosen.shm, "keep": keep, "faults": {}}
            nodes.append({**entry, **self.net.node(number), **chosen.node.get(name, {})})
        config = {
            "nodes": nodes,
            "ip": sim_layout.find_ip(),
            "login_batch": self.net.login(),
            "vendor": chosen.vendor,
            "image": chosen.image,
            "python": sim_layout.PYTHON,
            "python_prefix": str(Path(sim_layout.PYTHON).parent.parent),
            "stubs": str(sim_layout.STUBS),
            "farm": str(sim_layout.farm(frozenset(chosen.image.get("missing", ())))),
            "slurm": {"version": chosen.slurm, "pyxis": chosen.pyxis, "proctrack": chosen.proctrack, "kill_wait": chosen.kill_wait, "busy_wait": chosen.busy_wait, "requeue_delay": chosen.requeue_delay, "first_job": chosen.first_job, "gpu_env": list(chosen.gpu_env or default_env), "first_gpu": chosen.first_gpu, "constrain": chosen.constrain_gpus},
            "ray": {"version": chosen.ray, "health_s": chosen.health_s, "join_s": chosen.join_s, "reconnect_s": chosen.reconnect_s},
        }
        vendor_tools = {"cuda": ("nvidia-smi",), "rocm": ("rocm-smi", "amd-smi")}[chosen.vendor]
        tools = (vendor_tools if chosen.gpus else ()) if chosen.gpu_tools is None else chosen.gpu_tools
        hosts = {name: self.net.hosts(self.names, number) for number, name in enumerate(self.names, start=1)}
        sim_layout.make(self.root, config, hosts, ipv4_first=self.net.ipv4_first, gpu_tools=tools)
        self.set_faults(chosen.faults)

    def _start(self) -> None:
        code = f"import sys; sys.path.insert(0, {str(sim_layout.STUBS)!r}); from simlib.lab import main; main({str(self.root)!r})"
        with (self.root / "lab.log").open("w") as log:
            self.lab = subprocess.Popen(
                [*unshare_command(), sim_layout.PYTHON, "-IS", "-c", code],
                stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True, env={"PATH": os.defpath},
            )
        deadline = time.monotonic() + 10
        while not (self.root / "lab.sock").exists():
            if self.lab.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the simulation did not start:\n" + (self.root / "lab.log").read_text())
            time.sleep(0.005)

    def close(self) -> None:
        """End every process of the cluster and remove its folder."""
        if self.lab.stdin is not None:
            self.lab.stdin.close()
        self.lab.kill()
        self.lab.wait()
        for fd in self.held:
            os.close(fd)
        for sock in self.sockets:
            sock.close()
        shutil.rmtree(self.top, ignore_errors=True)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # ---- looking ----

    def records(self, kind: str) -> list[dict[str, Any]]:
        """What the stubs wrote down: srun, sbatch, scontrol, scancel, ray, ray_node, ray_worker, ray_init, container, refused."""
        path = self.root / "records" / f"{kind}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

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
        """Everything worth reading when a test fails."""
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
            found += [{"node": path.stem.removeprefix("containers-"), "name": name, **entry} for name, entry in entries.items()]
        return found

    def tmp(self, node: str) -> Path:
        """A node's own /tmp, seen from outside."""
        return self.root / "nodes" / node / "tmp"

    # ---- faults ----

    def set_faults(self, faults: dict[str, dict[str, Any]]) -> None:
        """Faults by node name (`*`: all nodes); they count from now on, also in a running job.

        ray_start_delay, gcs_delay (seconds), ray_never_join, ray_die_after (seconds until the raylet is killed), ray_gpus
        (how many Ray sees), ray_start_exit (status), gpus (how many nvidia-smi sees), gpu_processes (lines), no_docker,
        driver and service (see `simlib.probes`).
        """
        path = self.root / "faults.json"
        path.with_suffix(".new").write_text(json.dumps(faults))
        path.with_suffix(".new").replace(path)

    def cut(self, node: str, *, kill: bool = False) -> None:
        """Unplug a node: it falls silent; with `kill` its processes are gone too."""
        self._ask({"do": "cut", "node": node, "kill": kill})

    def kill(self, pids: list[int], number: int = signal.SIGKILL) -> None:
        """Signal processes by the numbers that `processes` gives."""
        self._ask({"do": "kill", "pids": pids, "signal": int(number)})

    def kill_process(self, node: str, name: str, number: int = signal.SIGKILL) -> None:
        """Signal the processes on a node whose kernel name is `name` (raylet, gcs_server, dashboard…)."""
        self.kill([row["pid"] for row in self.processes() if row["node"] == node and row["name"] == name], number)

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
            "HOME": str(self.home), "USER": "root", "LOGNAME": "root", "SHELL": "/bin/bash", "LANG": "C.UTF-8",
        }

    def spawn(self, argv: list[str], *, node: str = "login", env: dict[str, str] | None = None, cwd: Path | None = None, stdin: Any = None) -> "Process":
        """Start a process on a node (or the login node)."""
        return Process(self, argv, node=node, env={**self.environment(), **(env or {})}, cwd=cwd or self.work, stdin=stdin)

    def run(self, argv: list[str], *, timeout: float = 10.0, **where: Any) -> Result:
        """Run a process to its end."""
        return self.spawn(argv, **where).wait(timeout)

    def submit(self, script: str | Path, *args: str, options: tuple[str, ...] = (), env: dict[str, str] | None = None, limit: tuple[float, float] | None = None) -> "Job":
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

    def run_nodes(self, argvs: list[list[str]], envs: list[dict[str, str]] | None = None, *, timeout: float = 20.0, cwd: Path | None = None) -> list[Result]:
        """Start one command on each node at the same time (a launcher without Slurm); results by rank."""
        running = [self.spawn(argv, node=self.names[rank], env=(envs or [{}] * len(argvs))[rank], cwd=cwd) for rank, argv in enumerate(argvs)]
        deadline = time.monotonic() + timeout
        return [process.wait(max(0.1, deadline - time.monotonic())) for process in running]


class Process:
    """A process inside the cluster."""

    def __init__(self, cluster: Cluster, argv: list[str], *, node: str, env: dict[str, str], cwd: Path, stdin: Any) -> None:
        self.cluster = cluster
        folder = Path(tempfile.mkdtemp(dir=cluster.root / "spool"))
        self.out, self.err = folder / "out", folder / "err"
        with self.out.open("w") as out, self.err.open("w") as err:
            if isinstance(stdin, str):
                (folder / "in").write_text(stdin)
                source = (folder / "in").open()
            else:
                source = open("/dev/null") if stdin is None else stdin
            message = {"do": "run", "node": node, "argv": argv, "env": env, "cwd": str(cwd)}
            self.sock = wire.ask_lab(str(cluster.root), message, (source.fileno(), out.fileno(), err.fileno()))
            source.close()
        cluster.sockets.append(self.sock)
        self.pid: int = wire.receive(self.sock)[0]["pid"]
        self.status: int | None = None

    def signal(self, number: int) -> None:
        """Signal the process itself."""
        self.cluster.kill([self.pid], number)

    def poll(self) -> int | None:
        """Its status, None while it runs."""
        if self.status is None and select.select([self.sock], [], [], 0)[0]:
            self.status = wire.receive(self.sock)[0]["exit"]
        return self.status

    def wait(self, timeout: float = 10.0) -> Result:
        """Its end; TimeoutError, with the story, where it does not come."""
        if self.status is None and not select.select([self.sock], [], [], timeout)[0]:
            texts = (f"still running after {timeout} s", self.out.read_text(errors="replace"), self.err.read_text(errors="replace"))
            raise TimeoutError("\n".join([*texts, self.cluster.story()]))
        status = self.poll()
        self.sock.close()
        return Result(status or 0, self.out.read_text(errors="replace"), self.err.read_text(errors="replace"))


class Job:
    """A submitted job."""

    def __init__(self, cluster: Cluster, submitted: Result) -> None:
        self.cluster = cluster
        self.submitted = submitted
        self.id = submitted.stdout.strip()

    def entry(self) -> dict[str, Any]:
        """Slurm's view of the job."""
        path = self.cluster.root / "state" / f"job-{self.id}.json"
        found: dict[str, Any] = json.loads(path.read_text()) if self.id and path.exists() else {}
        return found

    def log(self) -> str:
        """The job's output so far."""
        path = Path(self.entry().get("stdout_path", "/nonexistent"))
        return path.read_text(errors="replace") if path.exists() else ""

    def wait_log(self, text: str, timeout: float = 10.0) -> None:
        """Wait until a text is in the output."""
        self.cluster.wait_for(lambda: text in self.log(), timeout, f"{text!r} in the log")

    def cancel(self, *options: str) -> None:
        """`scancel`, with options such as `--signal=USR1`, `--batch`."""
        self.cluster.run(["scancel", *options, self.id])

    def kill_batch_shell(self) -> None:
        """`kill -9` of the batch script."""
        self.cancel("--batch", "--signal=KILL")

    def fail_node(self, node: str) -> None:
        """A node loses power, and Slurm notices."""
        self.cluster.cut(node, kill=True)
        self.cluster.run(["scontrol", "sim-node-fail", self.id])

    def wait(self, timeout: float = 20.0) -> JobResult:
        """The job's end."""
        if not self.id:
            return JobResult(self.submitted.status, "REFUSED", "", self.submitted, [], {})
        self.cluster.wait_for(lambda: self.entry().get("state") in FINAL, timeout, f"the end of job {self.id}")
        entry = self.entry()
        leftovers = self.cluster.processes()
        if leftovers:
            time.sleep(0.1)
            leftovers = self.cluster.processes()
        status = entry["exit_code"] if not entry["exit_signal"] else 128 + entry["exit_signal"]
        return JobResult(status, entry["state"], self.log(), self.submitted, leftovers, entry)
