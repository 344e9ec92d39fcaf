"""``mngen targets``."""

from __future__ import annotations

import json

import click

from mngen import __version__
from mngen.cli.options import talk_options
from mngen.cli.ui import current_ui
from mngen.targets import registry

_EPILOG = """\b
Examples:
  mngen targets
  mngen targets --format json

Other packages add kinds through the entry-point group `mngen.targets`. They are listed without being loaded.
"""


@click.command("targets", epilog=_EPILOG)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@talk_options
def command(form: str) -> int:
    """List the kinds of target and where each comes from."""
    rows = [(kind, f"mngen {__version__}") for kind in registry.KINDS]
    rows += registry.others().items()
    if form == "json":
        document = {"format": 1, "targets": [{"kind": kind, "from": origin} for kind, origin in rows]}
        current_ui().data(json.dumps(document, indent=2) + "\n")
        return 0
    width = max(len(kind) for kind, _ in rows)
    current_ui().data("".join(f"{kind:<{width}}  {origin}\n" for kind, origin in rows))
    return 0
