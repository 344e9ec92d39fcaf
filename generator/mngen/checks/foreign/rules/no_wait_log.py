"""A submission that does not wait says nothing about the training."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script, call in document.called("ray job submit"):
        if not call.options.has("--no-wait"):
            continue
        if script.sbatch and script.called("ray start") and call.command == script.top[-1]:
            yield Found(
                call.line,
                "with `--no-wait` the script ends once the job is accepted, and Slurm ends its Ray and the training",
                "drop `--no-wait`, or follow the job: `ray job logs --follow ID`, then `ray job status ID`",
            )
            continue
        piped = call.command.after in {"|", "|&"} or any(r.operator.startswith(">") for r in call.command.redirects)
        if piped:
            yield Found(
                call.line,
                "with `--no-wait` the log holds only the submission, and the exit status says nothing about the "
                "training",
                "drop `--no-wait`, or follow the job: `ray job logs --follow ID`, then `ray job status ID`",
            )


RULE = Rule("MN767", Severity.WARNING, _check)
