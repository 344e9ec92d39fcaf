"""Ray's token authentication: what needs it, and which Ray has it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import holds
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.ray_token import TOKEN, asked_for, lists_token, unprotected
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse an open dashboard without a token, a token with a Ray that has none, and ``outside`` without a token."""
    has_tokens = holds("ray-token-auth", target.ray.version)
    if asked_for(target) and has_tokens is False:
        yield _too_old(target)
    if target.ray.dashboard.enabled and target.ray.dashboard.bind == "all":
        yield from _open_dashboard(target, has_tokens)
    if target.ray.auth == "disabled" and lists_token(target):
        message = f"secrets has {TOKEN}, but ray.auth is disabled: the token would protect nothing"
        hint = "remove one of the two"
        yield warning(target, "MN205", "ray.auth", message, hint=hint, other=(f"secrets.{TOKEN}",))
    if target.ray.auth != "disabled" and any(secret.name == TOKEN and not secret.required for secret in target.secrets):
        message = f"secrets.{TOKEN} need not be there, but no node of a cluster with a token starts without it"
        hint = "remove required: false; or the secret, and a job on Slurm makes a token of its own"
        yield finding(target, "MN205", f"secrets.{TOKEN}", message, hint=hint)
    if target.driver.submit_from == "outside" and target.ray.auth != "disabled" and has_tokens is not False:
        yield from _outside(target)


def _too_old(target: Target) -> Diagnostic:
    says = {"ray.auth": target.ray.auth == "token", f"secrets.{TOKEN}": lists_token(target)}
    fields = [field for field, asks in says.items() if asks]
    named = {"ray.auth": "ray.auth is token", f"secrets.{TOKEN}": f"secrets has {TOKEN}"}
    without = {"ray.auth": "write ray.auth: auto", f"secrets.{TOKEN}": f"remove {TOKEN} from secrets"}
    return finding(
        target,
        "MN203",
        fields[0],
        f"{named[fields[0]]}, but Ray {target.ray.version} has no token authentication",
        hint="set ray.version to 2.52 or newer and use an image that has it, or "
        + " and ".join(without[field] for field in fields),
        other=("ray.version",),
    )


def _open_dashboard(target: Target, has_tokens: bool | None) -> Iterator[Diagnostic]:
    place = "ray.dashboard.bind"
    why = unprotected(target)
    if why is not None:
        message = f"{place} is all, and {why.text}: anyone who reaches the port can run code as you (CVE-2023-48022)"
        with_token = "use Ray 2.52 or newer with ray.auth: token" if why.field else f"write secrets: {{{TOKEN}: {{}}}}"
        mend = f"write bind: loopback and reach the dashboard through ssh -L, or {with_token}"
        yield finding(target, "MN204", place, message, hint=mend, other=(why.field,) if why.field else ())
    elif has_tokens is None and target.ray.auth == "auto":
        message = f"{place} is all; whether the node's Ray can demand a token is known only there"
        hint = "write ray.auth: token, so that the job stops on a Ray without tokens, or name ray.version"
        yield warning(target, "MN204", place, message, hint=hint)


def _outside(target: Target) -> Iterator[Diagnostic]:
    if lists_token(target):
        return
    report = finding if target.ray.auth == "token" else warning
    yield report(
        target,
        "MN205",
        "driver.from",
        f"driver.from is outside, but secrets has no {TOKEN}: the machine that submits and the cluster must share it",
        hint=f"add {TOKEN} to secrets and set it in both shells (python3 -c 'import secrets; "
        "print(secrets.token_hex(32))' makes one), or write ray.auth: disabled on a network of your own",
        other=("secrets",),
    )
