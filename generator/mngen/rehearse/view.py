"""What happens on each node, read from what the stand-ins write down."""

from __future__ import annotations

import time
from typing import Any

from msgspec import Struct, field

from mngen.rehearse.cluster import Cluster

STEPS = ("started", "address", "joined", "services", "driver", "end")
"""What is shown of a node, in this order."""


class Event(Struct, frozen=True):
    """One thing that happened: when, in seconds from the start of the round, on which node, and which step it was."""

    at: float
    node: str
    step: str
    detail: str = ""


class View(Struct):
    """All events of a round, each once."""

    began: float = field(default_factory=time.time)
    events: list[Event] = field(default_factory=list)
    _known: set[tuple[str, str, str]] = field(default_factory=set)
    _looked: float = 0.0

    def look(self, sim: Cluster) -> list[Event]:
        """Return what is new since the last look."""
        before = len(self.events)
        if len({node for node, step, _ in self._known if step == "started"}) < len(sim.names):
            self._start(sim)
        for kind in ("ray", "ray_worker", "service", "driver"):
            for record in sim.records(kind):
                self._take(kind, record)
        self.events[before:] = sorted(self.events[before:], key=lambda event: event.at)
        return self.events[before:]

    def end(self, status: int | None, nodes: tuple[str, ...]) -> Event:
        """Note the end of the round."""
        detail = "it did not end" if status is None else f"status {status}"
        event = Event(time.time() - self.began, nodes[0], "end", detail)
        self.events.append(event)
        return event

    def _start(self, sim: Cluster) -> None:
        now = time.time()
        if now - self._looked < 0.3:  # to look at every process costs some milliseconds
            return
        self._looked = now
        for row in sim.processes():
            if row["node"] in sim.names:
                self._add(now, row["node"], "started")

    def _take(self, kind: str, record: dict[str, Any]) -> None:
        node, when, words = record["node"], record["time"], record.get("argv", [])
        if kind == "ray" and words[:1] == ["start"]:
            self._add(when, node, "started")
            own = [word.partition("=")[2] for word in words if word.startswith("--node-ip-address=")]
            self._add(when, node, "address", "".join(own[:1]) + (" (head)" if "--head" in words else ""))
        elif kind == "ray_worker":
            self._add(when, node, "joined")
        elif kind == "service":
            # A stand-in gets its own port before the service's own words.
            own = words[2:] if words[:1] == ["--port"] else words
            self._add(when, node, "services", " ".join(own)[:60])
        elif kind == "driver":
            self._add(when, node, "driver")

    def _add(self, when: float, node: str, step: str, detail: str = "") -> None:
        key = (node, step, detail if step == "services" else "")
        if key not in self._known:
            self._known.add(key)
            self.events.append(Event(max(0.0, when - self.began), node, step, detail))
