"""Only root can install a distribution's packages."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.stages import filled, stages, values_of
from mngen.diagnostics import Severity

_MANAGERS = ("apt-get", "apt", "dnf", "yum", "microdnf", "zypper", "apk", "dpkg")
_CHANGES = frozenset({"install", "update", "upgrade", "dist-upgrade", "add", "remove", "purge", "in", "-i"})
_ROOT = ("root", "0")


def _check(document: Document) -> Iterator[Found]:
    if document.form is not Form.DOCKERFILE:
        return
    runs = [part.line for part in document.instructions if part.word == "RUN"]
    scripts = dict(zip(runs, document.steps, strict=True))
    for stage in stages(document):
        values = values_of(stage.instructions)
        own = {part.line for part in stage.own}
        user = ""
        for part in stage.instructions:
            if part.word == "USER":
                user = filled(part.text.strip(), values).partition(":")[0]
            elif part.word == "RUN" and part.line in own and user and "$" not in user and user not in _ROOT:
                yield from _installs(scripts[part.line].called(*_MANAGERS), user)


def _installs(calls: tuple[Call, ...], user: str) -> Iterator[Found]:
    for call in calls:
        if _CHANGES & set(call.texts) and not any("sudo" in word.text for word in call.command.words):
            yield Found(
                call.line,
                f"`{call.program}` runs as {user} here and needs root: the build stops",
                "install before USER, or write `USER root` above this step and the user's name again below it",
            )
            return


RULE = Rule("MN913", Severity.ERROR, _check)
