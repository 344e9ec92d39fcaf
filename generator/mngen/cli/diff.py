"""``mngen diff``: ``render --check --diff``."""

from __future__ import annotations

import click

from mngen.cli.options import (
    format_option,
    judging_options,
    manifests_argument,
    rendered_option,
    request_options,
    talk_options,
)
from mngen.cli.rendering import Actions, Rendering
from mngen.cli.request import Request
from mngen.cli.ui import current_ui

_EPILOG = """\b
Examples:
  mngen diff manifest.yaml -o out
  mngen diff manifest.yaml -o out | git apply    # what a render would write
  mngen diff manifest.yaml -o ../out | git -C .. apply

Never writes. The exit status is 1 when anything differs.
"""


@click.command("diff", epilog=_EPILOG)
@manifests_argument
@rendered_option
@request_options
@judging_options
@format_option("text", "json", "github")
@talk_options
def command(manifests: tuple[str, ...], out: str, request: Request, form: str) -> int:
    """Show how the files on disk differ from the manifest."""
    return Rendering(current_ui(), manifests, out, request, form).run(Actions(check=True, diff=True))
