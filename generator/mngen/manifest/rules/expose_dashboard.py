"""``expose`` and the dashboard: an open port behind which nothing listens, or too much does."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target

_DEFAULT = 8265  # Ray's own default, which users write from habit


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about an exposed dashboard that binds to loopback; dstack forwards by ssh, so there it is right."""
    port = target.ray.ports.get("dashboard", _DEFAULT)
    if target.kind != "skypilot" or port not in target.expose:
        return
    field = f"expose.{target.expose.index(port)}"
    if not target.ray.dashboard.enabled:
        message = f"expose opens port {port}, but ray.dashboard.enabled is false"
        hint = "remove the port, or enable the dashboard"
        yield warning(
            target,
            "MN216",
            field,
            message,
            hint=hint,
            other=("ray.dashboard.enabled",),
        )
    elif target.ray.dashboard.bind == "loopback":
        yield warning(
            target,
            "MN216",
            field,
            f"expose opens port {port} to the internet, but the dashboard binds to loopback, so nothing answers there",
            hint=f"remove it and run `ssh -L {port}:localhost:{port} CLUSTER`, or write ray: {{auth: token, "
            "dashboard: {bind: all}}",
            other=("ray.dashboard.bind",),
        )
