"""``services`` and ``endpoint``: ports that exist where something reads them, names that can be variables."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.placed_texts import placeholders
from mngen.manifest.judging.port_plan import BLOCK_SERVICES, BLOCK_SIZE, PLANNED, PLANNED_SERVICES, SHARED_KINDS
from mngen.manifest.judging.script_names import PARTS, RAY_PORTS, port_variable
from mngen.manifest.model import Service, Target
from mngen.manifest.text import spelled


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a use of a port that the service has not, equal variables, and an endpoint of no service."""
    by_name = {service.name: service for service in target.services}
    yield from _names(target)
    yield from _count(target)
    for service in target.services:
        ready = service.ready
        if ready is not None and (ready.tcp or ready.http is not None) and not service.has_port:
            probe = "tcp" if ready.tcp else "http"
            field = f"services.{service.name}.ready"
            message = f"{field} asks {probe}, but the service has no port"
            hint = "write port: auto (or a number), or ready: {command: […]}"
            yield finding(target, "MN285", field, message, hint=hint, other=(f"services.{service.name}",))
    for field, refs in placeholders(target):
        for ref in refs:
            yield from _reference(target, field, ref, by_name)
    yield from _endpoint(target, by_name)


def _count(target: Target) -> Iterator[Diagnostic]:
    """Refuse an automatic port that the plan does not hold: it is another job's, or one of Ray's workers'."""
    shared = target.kind in SHARED_KINDS
    most = BLOCK_SIZE - BLOCK_SERVICES if shared else PLANNED["worker_min"] - PLANNED_SERVICES
    with_port = [service for service in target.services if service.has_port]
    if any(service.port is None for service in with_port[most:]):
        message = f"{len(with_port)} services have a port, but the job's plan has {most}"
        hint = "leave the port out where nothing asks for it, or give those after the first ones numbers"
        yield finding(target, "MN285", f"services.{with_port[most].name}.port", message, hint=hint)


def _reference(target: Target, field: str, ref: str, by_name: dict[str, Service]) -> Iterator[Diagnostic]:
    if not ref.startswith("services."):
        return
    name = ref.removeprefix("services.").removesuffix(".port")
    service = by_name.get(name)
    if service is not None and not service.has_port:
        yield finding(
            target,
            "MN285",
            field,
            f"{field} uses ${{{{ {ref} }}}}, but services.{name} has no port",
            hint=f"write services: {{{name}: {{port: auto}}}}",
            other=(f"services.{name}",),
        )


def _names(target: Target) -> Iterator[Diagnostic]:
    owners: dict[str, str] = {}
    for service in target.services:
        variable = port_variable(service.name)
        field = f"services.{service.name}"
        if variable in RAY_PORTS or variable == "MASTER_PORT":
            message = f"{field}: {service.name} is the name of a port of Ray's own in the launch script"
            yield finding(target, "MN286", field, message, hint=f"call it {service.name}-server")
        if service.name.lower() in PARTS:
            message = f"{field}: {service.name} is the name of a part of the launch script's own"
            yield finding(target, "MN286", field, message, hint=f"call it {service.name}-server")
        owner = owners.setdefault(variable, field)
        if owner != field:
            message = f"{field} and {owner} would share the variable {variable}"
            yield finding(target, "MN286", field, message, hint="rename one of them", other=(owner,))


def _endpoint(target: Target, by_name: dict[str, Service]) -> Iterator[Diagnostic]:
    if target.endpoint is None:
        return
    written = spelled(target.endpoint.file)
    if written.endswith("/"):
        message, hint = (
            f"endpoint.file {written} is a folder",
            f"write the file's name behind it: {written}endpoint.json",
        )
        yield finding(target, "MN287", "endpoint.file", message, hint=hint)
    if target.endpoint.service is None:
        return
    name = target.endpoint.service
    service = by_name.get(name)
    if service is None:
        known = ", ".join(by_name) or "none"
        message = f"endpoint.service is {name}, but there is no such service (there is: {known})"
        hint = "name a service, or leave it out for Ray's own address"
        yield finding(target, "MN287", "endpoint.service", message, hint=hint, other=("services",))
    elif not service.has_port:
        message = f"endpoint.service is {name}, but that service has no port"
        hint = f"write services: {{{name}: {{port: auto}}}}"
        yield finding(target, "MN287", "endpoint.service", message, hint=hint, other=(f"services.{name}",))
    if target.resources.nodes > 1 and service is not None and target.endpoint.file.literal is not None:
        path = target.endpoint.file.literal
        if path.startswith(("/tmp/", "/dev/shm/", "/var/tmp/")):
            message = f"endpoint.file {path} lies on the head's own disk, where jobs of other nodes cannot read it"
            hint = "write a path of a shared file system"
            yield warning(
                target,
                "MN287",
                "endpoint.file",
                message,
                hint=hint,
            )
