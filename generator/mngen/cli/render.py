"""``mngen render``."""

from __future__ import annotations

from typing import Any

import click

from mngen.cli.options import (
    format_option,
    judging_options,
    manifests_argument,
    output_option,
    request_options,
    talk_options,
)
from mngen.cli.rendering import Actions, Rendering
from mngen.cli.request import Request
from mngen.cli.ui import current_ui

_EPILOG = """\b
Examples:
  mngen render manifest.yaml -o out
  mngen render manifest.yaml -o out --target amd --set resources.nodes=4
  mngen render manifest.yaml -o out --check
  mngen render golden/*/manifest.yaml -o all     # several: all/NAME/ each
  mngen render manifest.yaml -o - | tar tf -
  mngen render manifest.yaml -o - --file amd/job.sbatch

Nothing is written when any manifest has an error. Each file is replaced atomically; files that mngen
did not write are never removed, and overwritten with --force only.
"""


@click.command("render", epilog=_EPILOG)
@manifests_argument
@output_option
@request_options
@click.option("--check", is_flag=True, help="Write nothing; fail when files on disk differ.")
@click.option("--diff", is_flag=True, help="Write nothing; print the differences. Fails on them only with --check.")
@click.option("--dry-run", is_flag=True, help="Write nothing; list what would be written and removed.")
@click.option("--force", is_flag=True, help="Overwrite hand edits and files that mngen did not write.")
@click.option("--file", "only", metavar="PATH", help="With -o -: this one file, as it is.")
@judging_options
@format_option("text", "json", "github")
@talk_options
def command(manifests: tuple[str, ...], out: str, request: Request, form: str, **actions: Any) -> int:
    """Write the files of one or several manifests."""
    return Rendering(current_ui(), manifests, out, request, form).run(Actions(**actions))
