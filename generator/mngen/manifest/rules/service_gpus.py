"""A service that is a model server, and takes more GPUs than it is given."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.model_servers import parallel
from mngen.manifest.judging.placed_texts import service_words
from mngen.manifest.judging.programs import calls
from mngen.manifest.judging.ray_clients import ray_use
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn where a server's tensor and pipeline parallel sizes need more GPUs of a node than the service has."""
    most = target.resources.gpus
    if not most:
        return  # whoever reserves none hides none from the service
    for service in target.services:
        for call in calls(service_words(service)):
            found = parallel(call)
            seen = most if service.shares_gpus else service.gpus
            if found is None or found.on_a_node <= max(1, seen) or ray_use(call) is not None:
                continue
            field = f"services.{service.name}"
            sees = f"it sees {seen or 'none'}"
            message = f"{field} has {found.said}, which takes {found.on_a_node} GPUs of a node, but {sees}"
            hint = (
                f"write services: {{{service.name}: {{gpus: {found.on_a_node}}}}}"
                if found.on_a_node <= most
                else f"let it take at most {most}, the node's, or make it the driver, whose workers Ray spreads"
            )
            yield warning(target, "MN309", found.field, message, hint=hint, other=(f"{field}.gpus",))
