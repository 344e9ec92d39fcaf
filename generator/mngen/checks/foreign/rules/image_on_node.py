"""Images that each node pulls or builds for itself differ."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.sbatch or (script.slurm.value("--nodes") or "1") == "1":
            continue
        for call in script.containers("pull"):
            reference = call.options.operands[0] if call.options.operands else ""
            if "@sha256:" not in reference:
                yield Found(
                    call.line,
                    f"every node pulls `{reference}` at once, by a tag that may move: rate limits, and nodes "
                    "that differ",
                    "pin the digest (`name@sha256:…`), and pull ahead of the job or from a registry nearby",
                )
        for call in script.calls:
            plain = call.program == "podman" and call.texts[:1] == ("build",)
            if plain or call.program in {"docker build", "docker buildx build"}:
                yield Found(
                    call.line,
                    "every node builds the image for itself, in the job's time, and no two builds need be equal",
                    "build once, push, and run by digest",
                )


RULE = Rule("MN775", Severity.WARNING, _check)
