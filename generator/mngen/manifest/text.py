"""Text with placeholders: what the user wrote, split into literal parts and references.

Placeholders whose value is known at render time (``${{ nodes }}``, ``${{ vars.x }}``) are gone by
the time a model exists; what is left is known only on a node or once the cluster's head is chosen.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct


class Phase(IntEnum):
    """When a placeholder's value is known; a field accepts its own phase and all earlier ones."""

    RENDER = 0
    NODE = 1
    CLUSTER = 2


class Ref(Struct, frozen=True):
    """A placeholder left for run time, by its manifest name: ``env.HOME``, ``head_ip``, ``services.x.port``."""

    name: str
    default: str | None = None
    """What stands there when the node's own variable is not set, or is empty; ``None`` where it must be set."""


class Text(Struct, frozen=True):
    """A value in order of its parts. ``Text(("a/", Ref("job_id")))`` is ``a/${{ job_id }}``."""

    parts: tuple[str | Ref, ...]

    @property
    def literal(self) -> str | None:
        """The whole value, or ``None`` when a part is known only at run time."""
        found = ""
        for part in self.parts:
            if isinstance(part, Ref):
                return None
            found += part
        return found

    @property
    def defaults(self) -> tuple[tuple[str, str], ...]:
        """The defaults of the placeholders left, with their names."""
        return tuple((p.name, p.default) for p in self.parts if isinstance(p, Ref) and p.default is not None)

    @property
    def refs(self) -> tuple[str, ...]:
        """Names of the placeholders left, in order, without repeats."""
        if len(self.parts) == 1 and isinstance(self.parts[0], str):
            return ()  # as most texts are, and all are asked
        return tuple(dict.fromkeys(p.name for p in self.parts if isinstance(p, Ref)))


def literal(value: str) -> Text:
    """Wrap plain text."""
    return Text((value,))


def spelled(text: Text) -> str:
    """Write a text as the manifest does, with ``${{ NAME }}`` for what is known only at run time."""
    if len(text.parts) == 1 and isinstance(text.parts[0], str):
        return text.parts[0]
    return "".join([part if isinstance(part, str) else _placeholder(part) for part in text.parts])


def _placeholder(ref: Ref) -> str:
    return "${{ " + ref.name + (" }}" if ref.default is None else f":-{ref.default} }}}}")
