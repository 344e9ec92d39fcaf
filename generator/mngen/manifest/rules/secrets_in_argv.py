"""A secret must not be spliced into a command or a path: every user of a node can read command lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.placed_texts import argument_lists, paths, ray_arguments
from mngen.manifest.model import Target
from mngen.manifest.text import Text


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse ``${{ env.SECRET }}`` in argument lists, container options, paths and runtime_env."""
    names = {f"env.{secret.name}": secret.name for secret in target.secrets}
    if not names:
        return
    where = "on a command line, where every user of the node can read it"
    hint = "let the program read the variable {} itself (wandb and huggingface_hub do)"
    yield from _spliced(target, names, _words(target), where, hint)
    if target.kind in {"slurm", "manual"}:  # a rented machine is the run's, and told of names by its secrets
        where = "into a path, which command lines and logs show to others"
        yield from _spliced(target, names, paths(target), where, "write a path that is no secret")
    runtime_env = target.driver.runtime_env
    for name, _ in runtime_env.env_vars if runtime_env else ():
        if f"env.{name}" in names:
            field = f"driver.runtime_env.env_vars.{name}"
            message = f"{field}: Ray shows a job's runtime_env on the dashboard and in its logs"
            hint = f"remove it; {name} is in the environment of every Ray process already"
            yield finding(target, "MN268", field, message, hint=hint, other=(f"secrets.{name}",))


def _spliced(
    target: Target, names: Mapping[str, str], texts: Iterable[tuple[str, Text]], where: str, hint: str
) -> Iterator[Diagnostic]:
    for field, text in texts:
        for name in (names[ref] for ref in text.refs if ref in names):
            message = f"{field} puts the secret {name} {where}"
            yield finding(target, "MN268", field, message, hint=hint.format(name), other=(f"secrets.{name}",))


def _words(target: Target) -> Iterator[tuple[str, Text]]:
    yield from argument_lists(target)
    yield from ray_arguments(target)
    for part in ("options", "prefix"):
        for index, text in enumerate(getattr(target.container, part)):
            yield f"container.{part}.{index}", text
