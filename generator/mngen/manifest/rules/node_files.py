"""Files that are read on each node: by an absolute path, because nodes start in no particular folder."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging import shell_syntax
from mngen.manifest.judging.finding import note, warning
from mngen.manifest.model import Target
from mngen.manifest.text import Text, spelled


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about relative paths of files of variables and of images; the schema refuses those of secrets."""
    for field, text in _files(target):
        path = spelled(text)
        if not path.startswith(("/", "${{", "-")) and shell_syntax.in_path(text) is None:
            yield warning(
                target,
                "MN269",
                field,
                f"{field} is {path!r}: a relative path may be another file on each node",
                hint="write an absolute path, or one that begins with ${{ env.HOME }}/",
            )
    yield from _runtime_env(target)


def _runtime_env(target: Target) -> Iterator[Diagnostic]:
    env = target.driver.runtime_env
    here = target.driver.submit == "ray-job" and target.driver.submit_from == "head"
    if env is None or env.file is None or env.file.startswith("/") or not here:
        return
    message = f"driver.runtime_env.file is {env.file!r}, which begins in workdir: the head reads it inside the runtime"
    yield note(
        target,
        "MN269",
        "driver.runtime_env.file",
        message,
        hint="right where the code there has it; else write an absolute path, as seen inside",
        other=("workdir",),
    )


def _files(target: Target) -> Iterator[tuple[str, Text]]:
    for secret in target.secrets:
        if secret.file is not None:
            yield f"secrets.{secret.name}.file", secret.file
    for index, text in enumerate(target.env_files):
        yield f"env_files.{index}", text
    if target.image is not None and target.kind in {"slurm", "manual"}:
        for name, file in (("sif", target.image.sif), ("sqsh", target.image.sqsh)):
            if file is not None:
                yield f"image.{name}", file
