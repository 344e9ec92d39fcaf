"""``--export``: once, and never so that the job loses its environment."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.exported import begins_with_all, exported, exports, hands_on_all, hands_on_nothing
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse several exports, an export that drops PATH, and one that keeps secrets of the submitting shell out."""
    if target.kind != "slurm":
        return
    given = exports(target)
    if len(given) > 1:
        yield finding(
            target,
            "MN237",
            given[1][0],
            f"--export is given {len(given)} times; they do not add up, only the last counts",
            hint="keep one; variables of the job belong to env",
            other=(given[0][0],),
        )
    for field, value in given:
        yield from _list(target, field, value)
        if not hands_on_all(value):
            yield from _secrets(target, field, value)


def _list(target: Target, field: str, value: str) -> Iterator[Diagnostic]:
    if hands_on_nothing(value):
        return
    if begins_with_all(value):
        if "=" in value:
            message = f"{field} sets variables; Slurm splits their values at commas"
            yield warning(target, "MN238", field, message, hint="move them to env")
        return
    hint = "move the variables to env, which reaches every process as it is; or begin with ALL"
    if hands_on_all(value):
        dropped = "whose ALL is not first, where sbatch(1) has it: read otherwise, the list drops the rest, PATH too"
    elif any(name == "PATH" for name, _ in exported(value)):
        dropped = "which drops all else of the submitting shell, such as what its modules set beside PATH"
    else:
        shell = "everything else of the submitting shell, PATH included"
        dropped = f"which drops {shell}: programs that it found are then not found"
    yield finding(target, "MN238", field, f"{field} is {value!r}, {dropped}", hint=hint)


def _secrets(target: Target, field: str, value: str) -> Iterator[Diagnostic]:
    """Refuse what keeps a secret out that the job waits for; warn where it goes on without one."""
    names = {name for name, _ in exported(value)}
    missing = [secret for secret in target.secrets if secret.file is None and secret.name not in names]
    how = "give the secret a file: that the node reads, or write export: ALL"
    hint = how if hands_on_nothing(value) else f"{how}, or add the name to the list"
    for required, report in ((True, finding), (False, warning)):
        found = ", ".join(secret.name for secret in missing if secret.required is required)
        if found:
            after = "" if required else ", and the job goes on without"
            message = f"{field} is {value}, so {found} of the submitting shell cannot reach the job{after}"
            yield report(target, "MN239", field, message, hint=hint, other=("secrets",))
