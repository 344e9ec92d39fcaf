"""The functions that may survive, each with its reason, from explained.toml."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("explained.toml")


def reasons() -> dict[str, str]:
    """Return reasons by ``path: function``."""
    entries = tomllib.loads(FILE.read_text()).get("survivor", [])
    return {f"{entry['path']}: {entry['function']}": entry["because"] for entry in entries}
