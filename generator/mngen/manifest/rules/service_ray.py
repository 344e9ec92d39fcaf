"""Services start before Ray, so one that needs it waits for what waits for it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.placed_texts import service_words
from mngen.manifest.judging.programs import calls
from mngen.manifest.judging.ray_clients import ray_use
from mngen.manifest.model import Target

_REMOVE = "remove it: the job starts Ray itself; options for it go to ray.start_args"
_DRIVER = (
    "make it the driver, which starts when Ray is there; clients find its port at ${{ head_host }}, or at the host "
    "that endpoint: {file: …} writes down"
)


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about services that are Ray's own programs, or servers whose workers Ray would start."""
    for service in target.services:
        for call in calls(service_words(service)):
            used = ray_use(call)
            if used is None:
                continue
            words, field = used
            message = f"services.{service.name} has `{words}`, but services start before Ray, so they cannot use it"
            yield warning(target, "MN308", field, message, hint=_REMOVE if words == "ray start" else _DRIVER)
            break
