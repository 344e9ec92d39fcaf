"""Files that are read on each node: by an absolute path, because nodes start in no particular folder."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Target
from mngen.manifest.rules import shell_syntax
from mngen.manifest.rules.finding import spelled, warning
from mngen.manifest.text import Text


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about relative paths of files of variables; the schema refuses those of secrets."""
    for field, text in _files(target):
        path = spelled(text)
        if not path.startswith(("/", "${{")) and shell_syntax.in_path(text) is None:
            yield warning(
                target,
                "MN269",
                field,
                f"{field} is {path!r}: a relative path may be another file on each node",
                hint="write an absolute path, or one that begins with ${{ env.HOME }}/",
            )


def _files(target: Target) -> Iterator[tuple[str, Text]]:
    for secret in target.secrets:
        if secret.file is not None:
            yield f"secrets.{secret.name}.file", secret.file
    for index, text in enumerate(target.env_files):
        yield f"env_files.{index}", text
