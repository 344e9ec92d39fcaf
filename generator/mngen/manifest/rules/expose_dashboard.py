"""``expose`` and the dashboard: an open port behind which nothing listens, or too much does."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import holds
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.ray_token import lists_token
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
        hint = f"remove the port, or write {_opened(target)}"
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
            hint=f"remove it and run `ssh -L {port}:localhost:{port} CLUSTER`, or write {_opened(target)}",
            other=("ray.dashboard.bind",),
        )


def _opened(target: Target) -> str:
    """Return all the fields that an open dashboard needs: who reaches it without a token can run code."""
    old = holds("ray-token-auth", target.ray.version) is False
    version, image = (", version: 2.52.1", " (and use an image with that Ray)") if old else ("", "")
    enabled = "" if target.ray.dashboard.enabled else "enabled: true, "
    ray = f"ray: {{auth: token{version}, dashboard: {{{enabled}bind: all}}}}"
    known = lists_token(target)
    return f"{ray}{'' if known else ' and secrets: {RAY_AUTH_TOKEN: {}}'}{image}"
