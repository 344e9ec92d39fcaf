"""What a round left behind, and what of it is as it should be."""

from __future__ import annotations

from msgspec import Struct

from mngen.rehearse.rounds import Round

STOPPED = (0, 130, 137, 143)
"""How a cluster may end that waits for jobs until somebody stops it."""

_NOT_PLAYED = "it is not played here; a stand-in of that name in /usr/local/bin takes its place"


class Outcome(Struct, frozen=True, kw_only=True):
    """What was seen of one round."""

    status: int | None
    """How the launch file ended; ``None`` when it did not in time."""
    log: str
    """All that it said."""
    nodes: tuple[str, ...]
    """The nodes that it had."""
    joined: dict[str, float]
    """When Ray on each node had joined, in seconds from the start."""
    drivers: tuple[float, ...]
    """When each start of the driver was."""
    left: tuple[str, ...]
    """Processes, containers and files that are still there a moment after the end."""
    took_s: float
    """How long it took."""
    harmed: tuple[str, ...] = ()
    """What of another user's Ray is no longer there."""
    trouble: str = ""
    """Why it could not be seen through, if it could not."""


class Check(Struct, frozen=True):
    """One thing that was looked at: what it is, and what was wrong with it (nothing if it is as it should be)."""

    what: str
    wrong: str = ""


class Known(Struct, frozen=True, kw_only=True):
    """What is known of a launch file, so that more or less can be expected of it."""

    generated: bool
    """Whether its exit statuses have the meanings that generated files give them."""
    drives: bool
    """Whether it starts a driver, rather than wait for jobs."""
    played: bool
    """Whether a stand-in plays the driver, and so tells when it starts."""
    reports: bool = False
    """Whether it says in one line how it ended."""
    limit: str = ""
    """What it does at its time limit: nothing, ``stop`` or ``requeue``."""
    by_hand: bool = False
    """Whether each node is started by itself, so that the first one does not hear of the failure of another."""
    unplayed: tuple[str, ...] = ()
    """Container tools that it starts, and that are not there."""


def checks(one: Round, outcome: Outcome, known: Known) -> tuple[Check, ...]:
    """Compare a round's outcome with its expected end."""
    found = [_end(one, outcome, known)]
    if one.drives:
        found.append(_joined(outcome))
        if known.played:
            found.append(_drove(outcome, _attempts(one, known)))
    elif known.played:
        early = "the driver started all the same" if outcome.drivers else ""
        found.append(Check("the driver does not start", early))
    if one.names_node and known.generated:
        name = outcome.nodes[-1]
        missed = "" if name in outcome.log or f"rank-{len(outcome.nodes) - 1}" in outcome.log else "no word of it"
        found.append(Check(f"the log names {name}", missed))
    if known.reports and not one.without and not one.killed and outcome.status is not None:
        line = f'"status": {outcome.status},'
        told = any("mngen-verdict" in said and line in said for said in outcome.log.splitlines())
        found.append(Check("its last line says so", "" if told else "there is no such line"))
    if one.foreign:
        found.append(Check("the other Ray is untouched", ", ".join(outcome.harmed)))
    found.append(Check("nothing is left over", ", ".join(outcome.left)))
    if any(check.wrong for check in found):
        found += [Check(f"{name} is there", _NOT_PLAYED) for name in known.unplayed]
    return tuple(found)


def _end(one: Round, outcome: Outcome, known: Known) -> Check:
    if outcome.status is None:
        return Check("it ends", outcome.trouble or "it did not end in time")
    wanted = _wanted(one, known)
    shown = " or ".join(str(status) for status in wanted) or "other than 0"
    good = outcome.status in wanted if wanted else outcome.status != 0
    return Check(f"it ends with status {shown}", "" if good else f"it ended with status {outcome.status}")


def _wanted(one: Round, known: Known) -> tuple[int, ...]:
    """Return the statuses that are right; none when any but 0 is."""
    if one.statuses == (0,):
        return (0,) if known.drives else STOPPED
    if not known.generated:
        return ()
    if one.traps and known.limit:
        return (0,)
    # By hand, the head only sees that the others never come.
    return (*one.statuses, 75) if known.by_hand and 77 in one.statuses and 75 not in one.statuses else one.statuses


def _attempts(one: Round, known: Known) -> int:
    return 2 if one.traps and known.limit == "requeue" else one.attempts


def _joined(outcome: Outcome) -> Check:
    missing = [name for name in outcome.nodes if name not in outcome.joined]
    return Check("all nodes join", f"{', '.join(missing)} did not" if missing else "")


def _drove(outcome: Outcome, times: int) -> Check:
    often = "once" if times == 1 else "once in each of two attempts"
    what = f"the driver runs {often}, after all nodes have joined"
    if len(outcome.drivers) != times:
        return Check(what, f"it started {len(outcome.drivers)} times" if outcome.drivers else "it never started")
    late = [name for name, time in outcome.joined.items() if time > outcome.drivers[0]]
    return Check(what, f"it started before {', '.join(late)}" if late else "")
