"""One round of a rehearsal from an empty cluster to its end."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mngen.rehearse.cluster import Cluster
from mngen.rehearse.edits import Edited, resized
from mngen.rehearse.needs import HOME, SUBMIT, Needs, needs
from mngen.rehearse.options import Options
from mngen.rehearse.outcome import Known, Outcome
from mngen.rehearse.rounds import LAST, Round
from mngen.rehearse.shape import Shape
from mngen.rehearse.starting import Placed, Started, place, start
from mngen.rehearse.subject import Kind, Subject

STEP_S = 0.1
"""How often it is looked at."""
SETTLE_S = 10
"""How long what was told to end may take for it."""

SLURM = "24.11"
"""The release that is played."""
_ASKS = re.compile(r"^#SBATCH .*--(gpus|gres|tres)", re.MULTILINE)

Watch = Callable[[Cluster, Started], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A launch file made ready: its changed texts, and all that is around it."""

    subject: Subject
    """The launch file."""
    shape: Shape
    """The cluster."""
    needs: Needs
    """What is made before it runs."""
    scripts: Mapping[str, Edited]
    """Its bash files by name, as they are run."""
    task: str = ""
    """Its YAML file as it is run, if it has one."""

    @property
    def driver(self) -> bool:
        """Whether a stand-in plays the driver."""
        return any(script.driver for name, script in self.scripts.items() if not name.startswith("submit"))

    @property
    def drives(self) -> bool:
        """Whether the launch file starts a driver at all, as far as is known."""
        return self.driver or not self.subject.generated or "keep_cluster()" not in self.subject.script

    @property
    def known(self) -> Known:
        """What may be expected of it."""
        return Known(
            generated=self.subject.generated,
            drives=self.drives,
            played=self.driver,
            reports=self.subject.generated and "mngen-verdict" in self.subject.script,
            by_hand=self.subject.kind is Kind.MANUAL,
        )

    def has(self, need: str) -> bool:
        """Tell whether a round that needs this makes sense."""
        services = any(script.services for script in self.scripts.values())
        return {
            "driver": self.driver,
            "workers": len(self.shape.names) > 1,
            "gpus": self.shape.gpus > 0,
            "fabric": bool(self.needs.devices),
            "services": services,
            "ports": any("sim-service --port" in script.text for script in self.scripts.values()),
            "secrets": bool(self.needs.secrets),
        }[need]


def plan(subject: Subject, shape: Shape, nodes: int, *, run_driver: bool, run_texts: bool) -> Plan:
    """Change what belongs to the user; ``nodes`` is what the files say themselves."""
    scripts = {}
    launch = {subject.file.name: subject.document.text} if subject.kind is Kind.SLURM else {}
    for name, text in {**subject.texts, **launch}.items():
        edited = Edited(resized(text, nodes, len(shape.names), shape.gpus) if subject.generated else text)
        if subject.generated:
            _edit(edited, run_driver=run_driver, run_texts=run_texts)
        if name in launch and shape.gpus and not _ASKS.search(text):
            edited.give_gpus(shape.gpus)
        scripts[name] = edited
    prefixed = any(script.prefix for script in scripts.values())
    files = [text.text for name, text in scripts.items() if name not in ("submit.sh", "attach.sh")]
    task = subject.document.text if subject.kind in (Kind.SKYPILOT, Kind.DSTACK) else ""
    needed = needs(files or [subject.script], prefixed=prefixed or subject.kind is Kind.DSTACK)
    mounted = subject.document.get("file_mounts")
    for path in mounted.fields if mounted is not None else ():
        if path.startswith("/"):
            needed.paths.setdefault(path.rstrip("/"), None)
    return Plan(
        subject=subject,
        shape=shape,
        needs=needed,
        scripts=scripts,
        task=resized(task, nodes, len(shape.names), shape.gpus) if subject.generated else task,
    )


def _edit(edited: Edited, *, run_driver: bool, run_texts: bool) -> None:
    if not run_texts:
        edited.keep_away_texts()
    if not run_driver:
        edited.stand_in_for_driver()
    edited.stand_in_for_services()
    edited.stand_in_for_prefix()


def run(made: Plan, one: Round, timeout: float, watch: Watch) -> Outcome:
    """Run one round. Raises ``EnvironmentFailure`` where this machine cannot play a cluster."""
    sim = Cluster(_options(made, one))
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
    everywhere = faults.setdefault("*", {})
    # One that is there to be ended would end by itself if it looked for a head that is just being killed.
    everywhere["driver"] = {"sleep": one.driver_s, "exit": one.driver_exit, "connect": not one.driver_s}
    return Options(
        net=shape.net,
        names=shape.names,
        nodes=len(shape.names),
        ray=shape.ray,
        slurm=SLURM,
        gpus=shape.gpus,
        vendor=shape.vendor,
        cpus=shape.cpus,
        shm=f"{shape.shm_kib}k",
        pyxis=needed.pyxis,
        kill_wait=15.0,
        health_s=6.0,  # a busy machine is no silent node
        ray_on_host=not needed.contained,
        faults=faults,
        node={
            name: {
                "devices": needed.devices,
                "rdma": list(needed.rdma),
                **(one.node if name == shape.names[-1] else {}),
            }
            for name in shape.names
        },
        image=needed.image,
        fresh={"/var/tmp": None, **{path: text for path, text in needed.paths.items() if path.startswith("/")}},
    )


class _Run:
    """One round at work."""

    def __init__(self, made: Plan, one: Round, sim: Cluster, watch: Watch) -> None:
        self.made, self.one, self.sim, self.watch = made, one, sim, watch
        self.began = time.time()

    def outcome(self, timeout: float) -> Outcome:
        """Run it and look at what is left."""
        placed = place(self.sim, self.made.subject, self._texts())
        self._make(placed)
        started = start(self.sim, self.made.subject, placed, self._env())
        status = self._follow(started, time.monotonic() + timeout)
        left = self._left() if status is not None else ()
        joined: dict[str, float] = {}
        for record in self.sim.records("ray_worker"):
            joined.setdefault(record["node"], record["time"] - self.began)
        return Outcome(
            status=status,
            log=started.said(),
            nodes=self.made.shape.names,
            joined=joined,
            drivers=tuple(record["time"] - self.began for record in self.sim.records("driver")),
            left=left,
            took_s=time.time() - self.began,
            trouble=f"it had not ended after {timeout:g} s" if status is None else "",
        )

    def _texts(self) -> dict[str, str]:
        found = {}
        for name, script in self.made.scripts.items():
            shortened = replace(script)
            if self.made.subject.generated:
                shortened.shorten_waits(self.one.ready_s)
            found[name] = shortened.text
        if self.made.task:
            found[self.made.subject.file.name] = self.made.task
        return found

    def _make(self, placed: Placed) -> None:
        for path, text in self.made.needs.paths.items():
            for mark, folder in ((HOME, self.sim.home), (SUBMIT, placed.submit)):
                if path.startswith(mark):
                    _write(folder / path.removeprefix(mark).strip("/"), text)

    def _env(self) -> dict[str, str]:
        secrets = self.made.needs.secrets[1:] if self.one.without else self.made.needs.secrets
        env = {**self.made.needs.variables, **{name: f"rehearsal-{name.lower()}" for name in secrets}}
        if self.one.without:
            env[self.made.needs.secrets[0]] = ""
        return env

    def _follow(self, started: Started, deadline: float) -> int | None:
        acted = False
        while (status := started.status()) is None and time.monotonic() < deadline:
            self.watch(self.sim, started)
            if not acted and self._is_up(started):
                acted = True
                self._act(started)
            time.sleep(STEP_S)
        self.watch(self.sim, started)
        return status

    def _is_up(self, started: Started) -> bool:
        if self.made.driver:
            return bool(self.sim.records("driver"))
        joined = {record["node"] for record in self.sim.records("ray_worker")}
        return joined >= set(self.made.shape.names) and (self.made.drives or "ready for Ray jobs" in started.said())

    def _act(self, started: Started) -> None:
        if self.one.then is not None:
            self.one.then(self.sim, self.made.shape)
        elif self.one.stops or not self.made.drives:
            started.stop()

    def _left(self) -> tuple[str, ...]:
        deadline = time.monotonic() + SETTLE_S
        while (found := self._leftovers()) and time.monotonic() < deadline:
            time.sleep(STEP_S)
        return found

    def _leftovers(self) -> tuple[str, ...]:
        silent = self.made.shape.names[-1] if self.one.name == "node-silent" else ""
        rows = [row for row in self.sim.processes() if row["node"] != silent]
        containers = [row for row in self.sim.containers() if row["state"] == "running" and row["node"] != silent]
        # What a launcher other than Slurm runs in ends with the run, and it kills what still is in there.
        kept = self.made.shape.names if self.made.subject.kind in (Kind.SLURM, Kind.MANUAL) else ()
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
