"""How a rehearsal is shown while it runs, and what is said of it at the end."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from mngen import __version__
from mngen.cli.rehearsal_view import showing
from mngen.cli.ui import Ui
from mngen.rehearse.folders import remove_stale
from mngen.rehearse.installed_ray import choose
from mngen.rehearse.limits import not_exercised
from mngen.rehearse.missing import refusal
from mngen.rehearse.outcome import Check, Outcome, checks
from mngen.rehearse.plain import NO_NETWORK, refuse, why_plain
from mngen.rehearse.planning import Plan, plan
from mngen.rehearse.rehearsal import run
from mngen.rehearse.rounds import DEFAULT, FAULTS, Round, chosen
from mngen.rehearse.shape import shape
from mngen.rehearse.subject import Kind, Subject, find
from mngen.rehearse.view import Event, View

FORMAT = 1
"""Of the JSON document; keys are added, never changed, within one number."""
LAST_LINES = 25
_KINDS = {Kind.SLURM: "Slurm", Kind.SKYPILOT: "SkyPilot", Kind.DSTACK: "dstack", Kind.MANUAL: "started by hand"}


class Wish(Struct, frozen=True, kw_only=True):
    """What the command line asks for; see the options' help."""

    nodes: int | None
    network: str | None
    faults: tuple[str, ...]
    run_driver: bool
    run_setup: bool
    timeout: float | None
    ray: str | None
    nodes_as: str


class Seen(Struct, frozen=True):
    """One round as it was seen."""

    one: Round
    outcome: Outcome
    checks: tuple[Check, ...]
    events: tuple[Event, ...]

    @property
    def good(self) -> bool:
        """Whether all is as it should be."""
        return not any(check.wrong for check in self.checks)


def rehearse(ui: Ui, form: str, file: Path, wish: Wish) -> int:
    """Run the rounds, show them, and return the exit status: 0 when each ended as it should, else 1."""
    remove_stale()
    subject = find(file)
    plain = why_plain(wish.nodes_as)
    if plain:
        _check_plain(wish, subject)
        ui.say(f"nodes are plain processes: {plain}")
    own = shape(subject, None, wish.network)
    made = plan(
        subject,
        shape(subject, wish.nodes, wish.network),
        len(own.names),
        run_driver=wish.run_driver,
        run_texts=wish.run_setup,
        ray=None if plain else choose(wish.ray, subject),
    )
    made = replace(made, plain=bool(plain))
    rounds = list(_rounds(made, wish))
    ui.say(f"{subject.file}: {_described(made)}")
    began = time.monotonic()
    seen = []
    for one in rounds:
        ui.say(f"\n{one.name}: {one.does}")
        seen.append(_round(ui, made, one, wish.timeout or (120 if made.ray is None else 400)))
        if form == "text":
            ui.data(_told(seen[-1]))
    good = all(item.good for item in seen)
    if form == "json":
        ui.data(json.dumps(_document(made, seen, good=good), indent=2, ensure_ascii=False) + "\n")
    else:
        ui.data(_verdict(made, seen, time.monotonic() - began, good=good))
    return int(not good)


def _check_plain(wish: Wish, subject: Subject) -> None:
    """Refuse what could harm this machine, or does not go, without namespaces."""
    if not subject.generated:
        raise refuse(f"{subject.file} was not written by mngen and may do anything")
    if wish.run_driver or wish.run_setup:
        raise refuse("--run-driver and --run-setup run what may do anything")
    if wish.ray == "real":
        raise refuse("--ray real needs an address for each node")


def _described(made: Plan) -> str:
    cluster = made.shape
    gpus = f" with {cluster.gpus} GPUs" if cluster.gpus else ""
    nodes = f"{len(cluster.names)} node{'s' if len(cluster.names) > 1 else ''}{gpus}"
    where = ", in containers" if made.needs.contained else ""
    ray = f"a stand-in for Ray {cluster.ray}" if made.ray is None else f"the installed Ray {made.ray.version}"
    return f"{_KINDS[made.subject.kind]}, {nodes}{where}, {cluster.net.family}, {ray}"


def _rounds(made: Plan, wish: Wish) -> Iterator[Round]:
    names = (*wish.faults, *FAULTS) if "all" in wish.faults else wish.faults or DEFAULT
    asked = wish.faults and "all" not in wish.faults
    for one in chosen(names):
        missing = [need for need in one.needs if not made.has(need)]
        if asked and "network" in missing:
            raise refuse(f"{one.name}: {NO_NETWORK}")
        if missing and asked:
            raise refusal(made, one, missing[0])
        if not missing:
            yield one


def _round(ui: Ui, made: Plan, one: Round, timeout: float) -> Seen:
    view = View()
    with showing(ui, made.shape.names) as show:

        def watch(sim: Any, _started: Any) -> None:
            for event in view.look(sim):
                show(event)

        outcome = run(made, one, timeout, watch)
        show(view.end(outcome.status, outcome.nodes))
    found = checks(one, outcome, made.known)
    return Seen(one, outcome, found, tuple(view.events))


def _told(seen: Seen) -> str:
    lines = [f"  {'NOT ' if check.wrong else 'ok  '} {check.what}{_because(check)}" for check in seen.checks]
    if not seen.good:
        lines += ["  what it said last:", *(f"    {line}" for line in seen.outcome.log.splitlines()[-LAST_LINES:])]
    return f"{seen.one.name}: {'as it should be' if seen.good else 'not as it should be'}\n" + "\n".join(lines) + "\n"


def _because(check: Check) -> str:
    return f": {check.wrong}" if check.wrong else ""


def _verdict(made: Plan, seen: list[Seen], took: float, *, good: bool) -> str:
    lines = ["not exercised:", *(f"  {line}" for line in not_exercised(made))]
    bad = [item.one.name for item in seen if not item.good]
    rounds = f"{len(seen)} round{'s' if len(seen) != 1 else ''} in {took:.1f} s"
    lines.append(f"verdict: as it should be, {rounds}" if good else f"verdict: NOT as it should be: {', '.join(bad)}")
    return "\n".join(lines) + "\n"


def _document(made: Plan, seen: list[Seen], *, good: bool) -> dict[str, Any]:
    cluster = made.shape
    return {
        "format": FORMAT,
        "version": __version__,
        "file": str(made.subject.file),
        "kind": made.subject.kind.value,
        "nodes": list(cluster.names),
        "gpus": cluster.gpus,
        "network": cluster.net.family,
        "nodes_as": "processes" if made.plain else "namespaces",
        "ray": {"stand_in": made.ray is None, "version": cluster.ray if made.ray is None else made.ray.version},
        "verdict": "as-expected" if good else "not-as-expected",
        "rounds": [_round_document(item) for item in seen],
        "not_exercised": list(not_exercised(made)),
    }


def _round_document(seen: Seen) -> dict[str, Any]:
    return {
        "name": seen.one.name,
        "does": seen.one.does,
        "good": seen.good,
        "status": seen.outcome.status,
        "seconds": round(seen.outcome.took_s, 1),
        "checks": [{"what": check.what, "good": not check.wrong, "wrong": check.wrong} for check in seen.checks],
        "events": [{**asdict(event), "at": round(event.at, 1)} for event in seen.events],
        "log": seen.outcome.log,
    }
