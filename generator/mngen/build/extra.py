"""The libraries that only building, locking and inspecting images need, and how this installation gets them."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

_EXTRA = "mngen[build]"


def how_to_install(missing: Sequence[str]) -> str:
    """Return the command that brings some missing packages to where mngen is installed."""
    by_uv = Path(sys.prefix, "uv-receipt.toml").is_file()  # https://docs.astral.sh/uv/concepts/tools/
    again = _again()
    program = "pip install"
    if by_uv:
        python = shlex.quote(str(Path(sys.prefix, "bin/python")))
        program = "uv tool install" if again else f"uv pip install --python {python}"
    return f"`{program} {shlex.join(again or missing)}`"


def _again() -> tuple[str, ...]:
    """Return what installs this mngen once more, with the extra; nothing where that is not there any more."""
    try:
        # https://packaging.python.org/en/latest/specifications/direct-url/; an index leaves no such file.
        said = metadata.distribution("mngen").read_text("direct_url.json")
        origin: Mapping[str, Any] = json.loads(said) if said else {}
    except (metadata.PackageNotFoundError, ValueError):
        return ()
    if not origin:
        return (_EXTRA,)
    url, repository = str(origin.get("url", "")), origin.get("vcs_info")
    if repository:
        return (f"{_EXTRA} @ {repository['vcs']}+{url}@{repository['commit_id']}",)
    path = Path(url2pathname(urlsplit(url).path))
    if not url.startswith("file:"):
        return (f"{_EXTRA} @ {url}",)
    if not path.exists():
        return ()
    editable = ("-e",) if origin.get("dir_info", {}).get("editable") else ()
    return (*editable, f"{path}[build]")
