"""``mngen validate``."""

from __future__ import annotations

import click

from mngen.cli.options import format_option, judging_options, manifests_argument, request_options, talk_options
from mngen.cli.pipeline import render_all
from mngen.cli.reporting import Findings, Report
from mngen.cli.request import Request
from mngen.cli.ui import current_ui

_EPILOG = """\b
Examples:
  mngen validate manifest.yaml
  mngen validate --format sarif manifest.yaml > mngen.sarif
  cat manifest.yaml | mngen validate -

All stages run, up to the checks of the rendered files, so what validates also renders. With
--format sarif findings do not change the exit status: the service that reads them judges.
"""


@click.command("validate", epilog=_EPILOG)
@manifests_argument
@request_options
@judging_options
@format_option("text", "json", "github", "sarif")
@talk_options
def command(manifests: tuple[str, ...], request: Request, form: str) -> int:
    """Check manifests without writing anything."""
    ui, findings = current_ui(), Findings()
    rendered = render_all(manifests, request, findings)
    Report(ui, form, strict=request.strict).emit(findings)
    for item in rendered:
        names = ", ".join(target.name for target in item.manifest.targets)
        ui.say(f"{item.manifest.file}: valid; targets: {names}")
    return int(findings.fail(strict=request.strict) and form != "sarif")
