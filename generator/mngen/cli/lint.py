"""``mngen lint``."""

from __future__ import annotations

import click

from mngen.checks.foreign import check_foreign
from mngen.cli.inputs import read_input
from mngen.cli.options import format_option, talk_options
from mngen.cli.reporting import Findings, Report
from mngen.cli.ui import current_ui
from mngen.errors import FindingsError, UsageError

_EPILOG = """\b
Examples:
  mngen lint job.sbatch task.yaml Dockerfile
  mngen lint --format github scripts/*.sh
  ssh cluster cat job.sbatch | mngen lint -

Knows sbatch and bash scripts, SkyPilot and dstack files, Dockerfiles and Apptainer definitions, by name
and text. It looks for what breaks multi-node Ray jobs, beside what ShellCheck and hadolint find.
`mngen explain CODE` says why a finding matters. With --format sarif findings do not change the exit status.
"""


@click.command("lint", epilog=_EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--strict", is_flag=True, help="Warnings fail the command too.")
@click.option("--no-lint", is_flag=True, help="mngen's own rules alone, without ShellCheck and hadolint.")
@format_option("text", "json", "github", "sarif")
@talk_options
def command(files: tuple[str, ...], strict: bool, no_lint: bool, form: str) -> int:
    """Look over launch and image files written by hand."""
    ui, findings = current_ui(), Findings()
    if files.count("-") > 1:
        raise UsageError("standard input can be read once", hint="give `-` once")
    for name in files:
        _lint(name, findings, lint=not no_lint)
    Report(ui, form).emit(findings)
    if not findings.diagnostics and form == "text":
        ui.say("nothing to complain about")
    return int(findings.fail(strict=strict) and form != "sarif")


def _lint(name: str, findings: Findings, *, lint: bool) -> None:
    try:
        item = read_input(name)
    except FindingsError as error:
        findings.add(error.diagnostics)
        return
    findings.add(check_foreign(item.text, item.name, lint=lint), {item.name: item.text.split("\n")})
