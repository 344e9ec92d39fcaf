"""IPv6 needs a Ray that can speak it: addresses, runtime_env and dashboard learnt it one release after the other."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import capability, holds
from mngen.manifest.model import Target
from mngen.manifest.rules.finding import finding, graded


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse IPv6 with a Ray too old for the part that is used; without ``ray.version`` the node decides."""
    family = _ipv6_field(target)
    version = target.ray.version
    if family is None or version is None:
        return
    if holds("ray-ipv6-address", version) is False:
        yield _refusal(target, "MN200", family, "ray-ipv6-address", ("IPv6 addresses", "2.49"))
        return
    used = "driver.runtime_env" if target.driver.runtime_env is not None else "driver.submit"
    if (target.driver.runtime_env is not None or target.driver.submit == "ray-job") and holds(
        "ray-ipv6-runtime-env", version
    ) is False:
        yield _refusal(target, "MN201", used, "ray-ipv6-runtime-env", ("a runtime_env over IPv6", "2.50"), family)
    if target.ray.dashboard.enabled and holds("ray-ipv6-dashboard", version) is False:
        needs = ("the dashboard over IPv6", "2.52")
        yield _refusal(target, "MN202", "ray.dashboard", "ray-ipv6-dashboard", needs, family)


def _ipv6_field(target: Target) -> str | None:
    if target.network.family == "ipv6":
        return "network.family"
    if target.network.cidr is not None and ":" in target.network.cidr:
        return "network.cidr"
    return None


def _refusal(target: Target, code: str, field: str, row: str, needs: tuple[str, str], family: str = "") -> Diagnostic:
    what, since = needs
    mend = f"set ray.version to {since} or newer and use an image that has it"
    if code == "MN202":
        mend += ", or write ray: {dashboard: {enabled: false}}"
    if code == "MN201":
        mend += ", or submit: direct without a runtime_env"
    why = capability(row).holds
    return graded(
        capability(row).severity,
        finding(
            target,
            code,
            field,
            f"ray.version is {target.ray.version}, but {what} ({family or field}) needs Ray {since}: {why}",
            hint=mend,
            other=("ray.version", family or "network"),
        ),
    )
