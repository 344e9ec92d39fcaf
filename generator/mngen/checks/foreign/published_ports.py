"""The ports of a task that anybody reaches.

SkyPilot opens those of ``resources.ports`` to the internet, also for a service
(https://docs.skypilot.co/en/latest/reference/yaml-spec.html, resources.ports). dstack forwards a task's ``ports`` to
the machine of its user (https://dstack.ai/docs/concepts/tasks, Ports); it publishes the ``port`` of a service, and with
``auth: false`` it asks nobody who calls (https://dstack.ai/docs/concepts/services, Authorization).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.yaml_nodes import Item
from mngen.manifest.whole_numbers import whole_number


class Published(Struct, frozen=True):
    """One entry: its line, and the ports from ``first`` to ``last``."""

    line: int
    first: int
    last: int

    def holds(self, port: int) -> bool:
        """Tell whether a port is among them."""
        return self.first <= port <= self.last


def published_ports(document: Document) -> Iterator[Published]:
    """Yield what a file publishes, as far as it is written in numbers."""
    for item in _items(document):
        first, _, last = (item.text or "").rpartition(":")[2].partition("-")
        low, high = whole_number(first), whole_number(last or first)
        if low is not None and high is not None:
            yield Published(item.line, low, high)


def _items(document: Document) -> Iterator[Item]:
    if document.form is Form.SKYPILOT and (resources := document.get("resources")) is not None:
        choices = (resources.fields[key] for key in ("any_of", "ordered") if key in resources.fields)
        for holder in (resources, *(entry for choice in choices for entry in choice.entries)):
            ports = holder.fields.get("ports")
            yield from (ports.entries or (ports,)) if ports is not None else ()
    kind, auth, port = (document.get(key) for key in ("type", "auth", "port"))
    if document.form is Form.DSTACK and port is not None and kind is not None and auth is not None:
        yield from (port,) if kind.text == "service" and auth.text == "false" else ()
