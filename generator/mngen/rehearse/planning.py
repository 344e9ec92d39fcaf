"""A launch file made ready: what is the user's own is replaced, and what it needs is known."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from mngen.rehearse.edits import Edited, resized
from mngen.rehearse.installed_ray import InstalledRay
from mngen.rehearse.needs import Needs, needs
from mngen.rehearse.outcome import Known
from mngen.rehearse.shape import Shape
from mngen.rehearse.subject import Kind, Subject
from mngen.rehearse.unplayed import unplayed

_RETRY_CODES = re.compile(r"^readonly (?:.* )?RETRY_CODES='?([0-9|]+)", re.MULTILINE)
_TOLERATES = '"${READY_TIMEOUT}" continue '
"""A job goes on without a node that it lost."""
_ASKS = re.compile(r"^#SBATCH .*--(gpus|gres|tres)", re.MULTILINE)


class Plan(Struct, frozen=True, kw_only=True):
    """A launch file made ready: its changed texts, and all that is around it."""

    subject: Subject
    """The launch file."""
    shape: Shape
    """The cluster."""
    needs: Needs
    """What is made before it runs."""
    scripts: Mapping[str, Edited]
    """Its bash files by name, as they are run."""
    ray: InstalledRay | None = None
    """The Ray that is installed here; without it a stand-in is taken."""
    task: str = ""
    """Its YAML file as it is run, if it has one."""
    plain: bool = False
    """Whether nodes are plain processes."""

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
        text = self.subject.script
        return Known(
            generated=self.subject.generated,
            drives=self.drives,
            played=self.driver,
            reports=self.subject.generated and "mngen-verdict" in self.subject.script,
            limit="" if "the time limit is near" not in text else "requeue" if "TIME_LIMIT=$((" in text else "stop",
            by_hand=self.subject.kind is Kind.MANUAL,
            unplayed=() if self.subject.generated else unplayed(self.subject.document),
        )

    def has(self, need: str) -> bool:
        """Tell whether a round that needs this makes sense."""
        services = any(script.services for script in self.scripts.values())
        return {
            "driver": self.driver,
            "workers": len(self.shape.names) > 1,
            # Slurm's mask is all that a node with AMD's GPUs goes by.
            "gpus": self.shape.gpus > 0 and (self.shape.vendor == "cuda" or self.subject.kind is not Kind.SLURM),
            "fabric": bool(self.needs.devices),
            "services": services,
            "ports": any("sim-service --port" in script.text for script in self.scripts.values()),
            "secrets": bool(self.needs.secrets),
            "stub": self.ray is None,
            "network": not self.plain,
            "loss": not (self.subject.generated and _TOLERATES in self.subject.script),
            "retry": "76" in retry_codes(self.subject.script),  # a part that dies
            "slurm": self.subject.kind is Kind.SLURM,
            "shm": "check_shm()" in self.subject.script and "--shm-size" not in self.subject.script,
        }[need]


def retry_codes(script: str) -> tuple[str, ...]:
    """Return the statuses after which a generated script is tried again."""
    found = _RETRY_CODES.search(script)
    return tuple(found[1].split("|")) if found else ()


def plan(
    subject: Subject,
    shape: Shape,
    nodes: int,
    *,
    run_driver: bool,
    run_texts: bool,
    ray: InstalledRay | None = None,
) -> Plan:
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
    own = [text.text for name, text in scripts.items() if name not in ("submit.sh", "attach.sh")]
    task = subject.document.text if subject.kind in (Kind.SKYPILOT, Kind.DSTACK) else ""
    needed = needs(own or [subject.script], prefixed=prefixed or subject.kind is Kind.DSTACK)
    if subject.kind is Kind.DSTACK:  # the whole task runs in its image
        files = {path: text for path, text in needed.paths.items() if text is not None and path.startswith("/")}
        needed.image["files"] = {**files, **needed.image["files"]}
    if subject.kind is Kind.SKYPILOT:
        needed.writable.append("/root")  # the home of its user, who is root in its images
    if subject.task is not None:
        needed.paths.update({path: None for path in subject.task.files if path.startswith("/")} | needed.paths)
        names = (name for name in subject.task.wanted if name not in needed.secrets)
        for name in names:
            needed.variables.setdefault(name, f"rehearsal-{name.lower()}")
    return Plan(
        subject=subject,
        shape=shape,
        needs=needed,
        scripts=scripts,
        ray=ray,
        task=resized(task, nodes, len(shape.names), shape.gpus) if subject.generated else task,
    )


def _edit(edited: Edited, *, run_driver: bool, run_texts: bool) -> None:
    if not run_texts:
        edited.keep_away_texts()
    if not run_driver:
        edited.stand_in_for_driver()
    edited.stand_in_for_services()
    edited.stand_in_for_prefix()
    edited.call_ray_by_name()
    edited.keep_programs()
    edited.make_folder_in_tmp()
