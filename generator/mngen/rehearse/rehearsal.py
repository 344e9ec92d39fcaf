"""One round of a rehearsal from an empty cluster to its end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from mngen.rehearse.actions import start_foreign_ray
from mngen.rehearse.cluster import Cluster
from mngen.rehearse.edits import WAIT_S
from mngen.rehearse.modules import MODULE
from mngen.rehearse.needs import HOME, SUBMIT
from mngen.rehearse.options import Options
from mngen.rehearse.outcome import Outcome
from mngen.rehearse.plain import PlainCluster
from mngen.rehearse.planning import Plan
from mngen.rehearse.rounds import LAST, Round
from mngen.rehearse.starting import Placed, Started, place, start
from mngen.rehearse.subject import Kind
from mngen.rehearse.vendors import CUDA

STEP_S = 0.1
"""How often it is looked at."""
SETTLE_S = 10
"""How long what was told to end may take for it."""

SLURM = "24.11"
"""The release that is played."""
REAL_SHM_KIB = 1 << 19
"""Room for Ray's own object store."""
REAL_READY_S = 240
"""What the installed Ray may take to come up, on a machine that plays all nodes at once."""
_IMAGE_ENV = {"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute,utility"}
"""What images with CUDA set (https://gitlab.com/nvidia/container-images/cuda), and container clients go by."""

Watch = Callable[[Cluster, Started], None]


def run(made: Plan, one: Round, timeout: float, watch: Watch) -> Outcome:
    """Run one round. Raises ``EnvironmentFailure`` where this machine cannot play a cluster."""
    sim = (PlainCluster if made.plain else Cluster)(_options(made, one))
    try:
        return _Run(made, one, sim, watch).outcome(timeout)
    finally:
        sim.close()


def _options(made: Plan, one: Round) -> Options:
    shape, needed = made.shape, made.needs
    faults: dict[str, dict[str, Any]] = {}
    for node, what in one.faults.items():
        faults[shape.names[-1] if node == LAST else node] = dict(what)
    if one.name == "too-few-gpus":
        faults[shape.names[-1]] = {"gpus": shape.gpus - 1}
    fewer = {"gpus": shape.gpus - 1} if one.name == "too-few-gpus" and shape.vendor == "rocm" else {}
    everywhere = faults.setdefault("*", {})
    # One that is there to be ended would end by itself if it looked for a head that is just being killed.
    everywhere["driver"] = {"sleep": one.driver_s, "exit": one.driver_exit, "connect": not one.driver_s}
    if one.traps:
        everywhere["driver"]["traps"] = ["USR1", "USR2", "TERM"]
    return Options(
        net=replace(shape.net, debian=one.loopback_name),
        names=shape.names,
        nodes=len(shape.names),
        ray=shape.ray if made.ray is None else made.ray.version,
        ray_real=None if made.ray is None else {"python": str(made.ray.python), "folders": made.ray.folders},
        slurm=SLURM,
        gpus=shape.gpus,
        vendor=shape.vendor,
        cpus=shape.cpus,
        shm=f"{max(shape.shm_kib, 0 if made.ray is None else REAL_SHM_KIB)}k",
        pyxis=needed.pyxis,
        kill_wait=15.0,
        health_s=6.0 if one.name == "node-silent" else 30.0,  # a busy machine is no silent node
        ray_on_host=not needed.contained,
        faults=faults,
        node={
            name: {
                "devices": needed.devices,
                "rdma": list(needed.rdma),
                **({**one.node, **fewer} if name == shape.names[-1] else {}),
            }
            for name in shape.names
        },
        image={**needed.image, "env": _IMAGE_ENV if shape.gpus and shape.vendor == CUDA else {}},
        fresh={"/var/tmp": None, **{path: text for path, text in needed.paths.items() if path.startswith("/")}},
        writable=tuple(dict.fromkeys(needed.writable)),
        absent=needed.links,
    )


class _Run:
    """One round at work."""

    def __init__(self, made: Plan, one: Round, sim: Cluster, watch: Watch) -> None:
        self.made, self.one, self.sim, self.watch = made, one, sim, watch
        self.began = time.time()
        self.foreign: set[int] = set()

    def outcome(self, timeout: float) -> Outcome:
        """Run it and look at what is left."""
        placed = place(self.sim, self.made.subject, self._texts())
        self._make(placed)
        if self.one.foreign:
            self.foreign = start_foreign_ray(self.sim, usual_ports=self.made.subject.kind is Kind.SLURM)
        started = start(self.sim, self.made.subject, placed, self._env())
        status = self._follow(started, time.monotonic() + timeout)
        left = self._left() if status is not None else ()
        joined: dict[str, float] = {}
        for record in self.sim.records("ray_worker"):
            joined.setdefault(record["node"], record["time"] - self.began)
        return Outcome(
            status=status,
            log=self.sim.shown(started.said()),
            nodes=self.made.shape.names,
            joined=joined,
            drivers=tuple(record["time"] - self.began for record in self.sim.records("driver")),
            left=left,
            harmed=self._harmed(),
            took_s=time.time() - self.began,
            trouble=f"it had not ended after {timeout:g} s" if status is None else "",
        )

    def _texts(self) -> dict[str, str]:
        found = {}
        for name, script in self.made.scripts.items():
            shortened = replace(script)
            if self.made.subject.generated:
                shortened.shorten_waits(self._ready_s())
                if not self.one.retries:
                    shortened.keep_from_retrying()
            found[name] = shortened.text
        if self.made.task:
            found[self.made.subject.file.name] = self.made.task
        return {name: self.sim.moved(text) for name, text in found.items()}

    def _ready_s(self) -> int:
        return self.one.ready_s if self.made.ray is None or self.one.ready_s != WAIT_S else REAL_READY_S

    def _make(self, placed: Placed) -> None:
        tasks = self.made.subject.kind in (Kind.SKYPILOT, Kind.DSTACK)
        begin = self.sim.work if tasks else placed.submit  # a task begins where its launcher says, not its file
        for path, text in self.made.needs.paths.items():
            for mark, folder in ((HOME, self.sim.home), (SUBMIT, begin)):
                if path.startswith(mark):
                    _write(folder / path.removeprefix(mark).strip("/"), text)

    def _env(self) -> dict[str, str]:
        secrets = self.made.needs.secrets[1:] if self.one.without else self.made.needs.secrets
        variables = {name: self.sim.moved(text) for name, text in self.made.needs.variables.items()}
        env = {**MODULE} if self.made.subject.kind in (Kind.SLURM, Kind.MANUAL) else {}
        env |= {**variables, **{name: f"rehearsal-{name.lower()}" for name in secrets}}
        if self.one.without:
            env[self.made.needs.secrets[0]] = ""
        return env

    def _follow(self, started: Started, deadline: float) -> int | None:
        acted = False
        while (status := started.status()) is None and time.monotonic() < deadline:
            if self.made.ray is not None:
                self._note_raylets()
            self.watch(self.sim, started)
            if not acted and self._is_up(started):
                acted = True
                self._act(started)
            time.sleep(STEP_S)
        self.watch(self.sim, started)
        return status

    def _note_raylets(self) -> None:
        """Write down which nodes have joined: `ray start` asks the head before it starts a node's daemon."""
        joined = {record["node"] for record in self.sim.records("ray_worker")}
        found = {row["node"] for row in self.sim.processes() if row["name"] == "raylet"}
        with (self.sim.root / "records/ray_worker.jsonl").open("a") as out:
            for node in found - joined:
                out.write(json.dumps({"kind": "ray_worker", "node": node, "time": time.time()}) + "\n")

    def _is_up(self, started: Started) -> bool:
        if self.made.driver:
            return bool(self.sim.records("driver"))
        joined = {record["node"] for record in self.sim.records("ray_worker")}
        return joined >= set(self.made.shape.names) and (self.made.drives or "ready for Ray jobs" in started.said())

    def _act(self, started: Started) -> None:
        if self.one.then is not None:
            self.one.then(self.sim, self.made.shape)
        elif self.one.stops or (not self.made.drives and self.one.statuses == (0,)):
            started.stop()

    def _left(self) -> tuple[str, ...]:
        deadline = time.monotonic() + SETTLE_S
        while (found := self._leftovers()) and time.monotonic() < deadline:
            time.sleep(STEP_S)
        return found

    def _harmed(self) -> tuple[str, ...]:
        there = {row["pid"] for row in self.sim.processes()} if self.foreign else set()
        return ("some of its processes are gone",) if self.foreign - there else ()

    def _leftovers(self) -> tuple[str, ...]:
        silent = self.made.shape.names[-1] if self.one.name == "node-silent" else ""
        rows = [row for row in self.sim.processes() if row["node"] != silent and row["pid"] not in self.foreign]
        alive = {row["pid"] for row in rows}  # podman still lists one as running whose monitor was killed with it
        containers = [row for row in self.sim.containers() if row["state"] == "running" and row.get("pid") in alive]
        # What a launcher other than Slurm runs in ends with the run, and it kills what still is in there.
        kept = self.made.shape.names if self.made.subject.kind in (Kind.SLURM, Kind.MANUAL) else ()
        if self.one.killed:  # with srun itself, slurmstepd kills all that could remove the job's folders
            kept = ()
        files = [(name, path) for name in kept if name != silent for path in self.sim.left(name)]
        given = {path for path in self.made.needs.paths if path.startswith("/tmp/")}
        return (
            *(f"process {row['argv'][0] if row['argv'] else row['name']} on {row['node']}" for row in rows),
            *(f"container {row['name']} on {row['node']}" for row in containers),
            *(f"/tmp/{path.name} on {name}" for name, path in files if f"/tmp/{path.name}" not in given),
        )


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
