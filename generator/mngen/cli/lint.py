"""``mngen lint``."""

from __future__ import annotations

import click

from mngen.checks.foreign import CHECKED, Form, check_together
from mngen.checks.foreign.unchecked import unchecked
from mngen.cli.lint_files import Refused, read_documents
from mngen.cli.options import format_option, not_empty, talk_options
from mngen.cli.reporting import Findings, Report
from mngen.cli.ui import Ui, current_ui
from mngen.errors import UsageError

_EPILOG = """\b
Examples:
  mngen lint job.sbatch task.yaml Dockerfile
  mngen lint docker/ slurm/ requirements.txt README.md
  mngen lint --format github scripts/*.sh
  ssh cluster cat job.sbatch | mngen lint - --kind sbatch

Knows sbatch and bash scripts, SkyPilot and dstack files, Dockerfiles and Apptainer definitions, by name
and text. It looks for what breaks multi-node Ray jobs, beside what ShellCheck and hadolint find. Files of
one call are compared too: versions that they pin, image files that they name; Python requirements and
pages of text (.md, .rst) serve that alone. A folder is searched for files of these kinds.
`# mngen ignore=CODE` above a line silences that finding there, `# mngen global ignore=CODE` in the file.
A file that cannot be read is named, the others are checked, and the exit status is 3.
`mngen explain CODE` says why a finding matters. With --format sarif findings do not change the exit status.
"""

_KNOWN = "known kinds: sbatch and bash scripts, SkyPilot and dstack files, Dockerfiles, Apptainer definitions"
_RENDER = "render the template, and give what comes out: `… | mngen lint - --kind sbatch`"
_KINDS = {form.name.lower(): form for form in CHECKED}


@click.command("lint", epilog=_EPILOG)
@click.argument("files", metavar="FILE|FOLDER...", nargs=-1, required=True, callback=not_empty)
@click.option("--kind", type=click.Choice(list(_KINDS)), help="What the named files are, whatever they look like.")
@click.option("--strict", is_flag=True, help="Warnings fail the command too.")
@click.option("--no-lint", is_flag=True, help="mngen's own rules alone, without ShellCheck and hadolint.")
@format_option("text", "json", "github", "sarif")
@talk_options
def command(files: tuple[str, ...], kind: str | None, strict: bool, no_lint: bool, form: str) -> int:
    """Look over launch and image files written by hand."""
    ui, findings = current_ui(), Findings()
    if files.count("-") > 1:
        raise UsageError("standard input can be read once", hint="give `-` once")
    documents, refused = read_documents(files, _KINDS[kind] if kind else None, findings)
    findings.add(check_together(documents, lint=not no_lint))
    left = list(unchecked(documents))
    for name, reason in left:
        ui.say(f"{name}: not checked: {reason}")
    if len(left) == len(documents) and not findings.diagnostics:
        _end_with(ui, refused)
        raise UsageError(
            "nothing was checked: no file of a known kind was given",
            hint=_RENDER if all(document.form is Form.TEMPLATE for document in documents) else _KNOWN,
        )
    Report(ui, form, strict=strict).emit(findings, {"unchecked": [*(name for name, _ in left), *refused]})
    _end_with(ui, refused)
    if not findings.diagnostics and form == "text":
        ui.say("nothing to complain about")
    return int(findings.fail(strict=strict) and form != "sarif")


def _end_with(ui: Ui, refused: Refused) -> None:
    """End the command with what could not be read, if there was anything, each with its reason."""
    if not refused:
        return
    *others, last = refused.values()
    for error in others:
        ui.failed(error.message, error.hint)
    raise last
