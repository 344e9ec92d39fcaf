"""Every node installs for itself, in the job's time."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    nodes = document.get("num_nodes") or document.get("nodes")
    if document.form in {Form.SKYPILOT, Form.DSTACK} and (nodes is None or nodes.text == "1"):
        return
    for script in document.scripts:
        if script.section.startswith("%") or not (script.sbatch or script.section):
            continue
        installs = [call for call in script.called("pip", "pip3", "uv") if "install" in call.texts[:2]]
        fixed = {"-r", "-c", "--requirement", "--constraint", "--require-hashes", "--no-deps"}
        loose = [call for call in installs if not fixed & {text.partition("=")[0] for text in call.texts}]
        if loose:
            yield Found(
                loose[0].line,
                "every node installs for itself at each start, in the job's time, and not always the same versions",
                "put it into the image, or pin what is installed with a constraints file",
                at=loose[0].program,
            )


RULE = Rule("MN791", Severity.NOTE, _check)
