"""IPv6 needs a Ray that can speak it: addresses, runtime_env and dashboard learnt it one release after the other."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.capabilities import capability, holds
from mngen.manifest.judging.finding import clause, finding, graded
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse IPv6 with a Ray too old for the part that is used; without ``ray.version`` the node decides."""
    family = _ipv6_field(target)
    version = target.ray.version
    if family is None or version is None:
        return
    if holds("ray-ipv6-address", version) is False:
        hint = "set ray.version to 2.49 or newer and use an image that has it (2.52 for all of Ray), or use IPv4"
        yield _refusal(target, "MN200", "ray-ipv6-address", f"IPv6 ({family})", hint, (family,))
        return
    submitted = target.driver.runtime_env is not None or target.driver.submit == "ray-job"
    if submitted and holds("ray-ipv6-runtime-env", version) is False:
        field = "driver.runtime_env" if target.driver.runtime_env is not None else "driver.submit"
        hint = "set ray.version to 2.50 or newer and use an image that has it, or write driver: {submit: direct}"
        what = f"a runtime_env ({field}) over IPv6 ({family})"
        yield _refusal(target, "MN201", "ray-ipv6-runtime-env", what, hint, (field, family))
    if target.ray.dashboard.enabled and holds("ray-ipv6-dashboard", version) is False:
        hint = "set ray.version to 2.52 or newer and use an image that has it, or ray: {dashboard: {enabled: false}}"
        what = f"the dashboard (ray.dashboard.enabled) over IPv6 ({family})"
        yield _refusal(target, "MN202", "ray-ipv6-dashboard", what, hint, ("ray.dashboard", family))
    if holds("ray-ipv6-client", version) is False:
        hint = "set ray.version to 2.56 or newer and use an image that has it, or leave grpcio out of the image"
        diagnostic = _refusal(target, "MN211", "ray-ipv6-client", f"a head on IPv6 ({family})", hint, (family,))
        yield graded(Severity.WARNING, diagnostic)


def _ipv6_field(target: Target) -> str | None:
    if target.network.family == "ipv6":
        return "network.family"
    if target.network.cidr is not None and ":" in target.network.cidr:
        return "network.cidr"
    return None


def _refusal(target: Target, code: str, row_id: str, what: str, hint: str, fields: tuple[str, ...]) -> Diagnostic:
    row = capability(row_id)
    message = f"{what} needs Ray {row.versions}, but ray.version is {target.ray.version}"
    message += f" (since then, {clause(row.holds)})"
    return graded(row.severity, finding(target, code, "ray.version", message, hint=hint, other=fields))
