"""Apptainer hands the whole environment of the host to the container."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_CLEAN = ("--cleanenv", "--containall", "--compat")


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("apptainer exec", "apptainer run"):
        if call.lacks(*_CLEAN):
            yield Found(
                call.line,
                "the host's environment goes in with everything: PYTHONPATH, conda and proxies of the host "
                "replace the image's",
                "pass `--cleanenv` and name what is wanted with `--env`",
            )


RULE = Rule("MN772", Severity.NOTE, _check, choice=True)
