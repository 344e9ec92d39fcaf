"""Launch files of the examples, and one round of one, as the command runs it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from mngen.rehearse.outcome import Check, Outcome, checks
from mngen.rehearse.planning import Plan, plan
from mngen.rehearse.rehearsal import run
from mngen.rehearse.rounds import Round, chosen
from mngen.rehearse.shape import shape
from mngen.rehearse.subject import find

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


def made(file: Path, *, nodes: int | None = None, network: str | None = None, plain: bool = False) -> Plan:
    """A launch file made ready; ``plain``: for nodes that are plain processes."""
    subject = find(file)
    own = shape(subject, None, network)
    wanted = shape(subject, nodes, network)
    return replace(plan(subject, wanted, len(own.names), run_driver=False, run_texts=False), plain=plain)


def one(name: str, *, ready_s: int | None = None) -> Round:
    """A round by its name."""
    (found,) = chosen((name,))
    return found if ready_s is None else replace(found, ready_s=ready_s)


def wrong(ready: Plan, wanted: Round) -> tuple[list[Check], Outcome]:
    """What of a round is not as it should be, and all that was seen."""
    outcome = run(ready, wanted, 120, lambda _sim, _started: None)
    return [check for check in checks(wanted, outcome, ready.known) if check.wrong], outcome
