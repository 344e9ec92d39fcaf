"""``mngen explain``."""

from __future__ import annotations

import click

from mngen.cli.explaining import explanation, known_names
from mngen.cli.options import talk_options
from mngen.cli.ui import current_ui

_EPILOG = """\b
Examples:
  mngen explain                  # all fields of the top level
  mngen explain slurm.time
  mngen explain targets.amd.ray.ports
  mngen explain '${{ ray_gpus }}'
  mngen explain HEAD_IP
  mngen explain MN101
"""


def _complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in known_names() if name.startswith(incomplete)]


@click.command("explain", epilog=_EPILOG)
@click.argument("name", metavar="[FIELD|PLACEHOLDER|VARIABLE|CODE]", default="", shell_complete=_complete)
@talk_options
def command(name: str) -> int:
    """Explain a field, a placeholder, a variable or a finding's code."""
    current_ui().data(explanation(name))
    return 0
