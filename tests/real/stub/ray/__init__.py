"""In place of Ray's client: the nodes that have joined."""

from pathlib import Path

JOINED = Path(__file__).resolve().parents[1] / "joined"
__version__ = "2.60.0"


def is_initialized() -> bool:
    """There is nothing to connect to."""
    return True


def nodes() -> list[dict[str, object]]:
    """What Ray's own says of each node."""
    found = [path for path in JOINED.iterdir() if not path.name.startswith("not-")]
    return [
        {"NodeName": path.name, "Alive": True, "Resources": {"GPU": float(path.read_text() or 0)}} for path in found
    ]
