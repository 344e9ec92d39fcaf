"""Launch files of the examples, and one round of one, as the command runs it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from mngen import targets
from mngen.manifest.load import load
from mngen.rehearse.outcome import Check, Outcome, checks
from mngen.rehearse.planning import Plan, plan
from mngen.rehearse.rehearsal import run
from mngen.rehearse.rounds import Round, chosen
from mngen.rehearse.shape import shape
from mngen.rehearse.subject import find
from mngen.render import render

NAMES = ("job.sbatch", "task.sky.yaml", "task.dstack.yml", "head.sh")
GOLDEN = Path(__file__).resolve().parents[2] / "golden"


def made(file: Path, *, nodes: int | None = None, network: str | None = None, plain: bool = False) -> Plan:
    """A launch file made ready; ``plain``: for nodes that are plain processes."""
    subject = find(file)
    own = shape(subject, None, network)
    wanted = shape(subject, nodes, network)
    return replace(plan(subject, wanted, len(own.names), run_driver=False, run_texts=False), plain=plain)


def rendered(folder: Path, manifest: str) -> Path:
    """The launch file of a manifest's only target, in a folder that it is written to."""
    found = load(manifest, "manifest.yaml").manifest
    assert found is not None
    (target,) = found.targets
    for written in render(targets.plan(found), digest=found.digest).files:
        top, _, name = written.path.partition("/")
        if top == target.name:
            (folder / name).write_text(written.text)
    return next(folder / name for name in NAMES if (folder / name).exists())


def one(name: str, *, ready_s: int | None = None) -> Round:
    """A round by its name."""
    (found,) = chosen((name,))
    return found if ready_s is None else replace(found, ready_s=ready_s)


def wrong(ready: Plan, wanted: Round) -> tuple[list[Check], Outcome]:
    """What of a round is not as it should be, and all that was seen."""
    outcome = run(ready, wanted, 120, lambda _sim, _started: None)
    return [check for check in checks(wanted, outcome, ready.known) if check.wrong], outcome
