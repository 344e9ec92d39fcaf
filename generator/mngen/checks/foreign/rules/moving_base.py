"""A tag may name another image tomorrow."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.stages import stages
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    if document.form not in {Form.DOCKERFILE, Form.APPTAINER}:
        return
    seen: set[str] = set()
    for stage in stages(document):
        base = stage.base
        if base in seen:
            continue  # a stage that builds on another one has its base, and one warning is enough
        seen.add(base)
        fetched = base not in {"", "scratch"} and not base.startswith((".", "/")) and "$" not in base
        if fetched and "@sha256:" not in base and not base.endswith((".sif", ".tar")) and "{{" not in base:
            yield Found(
                stage.line,
                f"`{base}` is named by its tag, which its owner can move or delete: the next build may have another "
                "base",
                "add the digest behind the tag, `NAME:TAG@sha256:…`; `docker buildx imagetools inspect` shows it",
            )


RULE = Rule("MN906", Severity.NOTE, _check, choice=True)
