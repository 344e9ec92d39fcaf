"""Whether a job's Ray asks for a token."""

from __future__ import annotations

from msgspec import Struct

from mngen.manifest.capabilities import holds
from mngen.manifest.model import Target

TOKEN = "RAY_AUTH_TOKEN"  # noqa: S105 - the name of a variable, not a secret

MAKES_TOKENS = frozenset({"slurm"})
"""Kinds whose jobs make a token of their own: one shell starts all nodes, and can tell them."""


class Unprotected(Struct, frozen=True):
    """Why whoever reaches this Ray can run code in it."""

    text: str
    field: str
    """The field that says so; empty where it is an absent one."""


def lists_token(target: Target) -> bool:
    """Whether the token is among the manifest's secrets."""
    return any(secret.name == TOKEN for secret in target.secrets)


def asked_for(target: Target) -> bool:
    """Whether the manifest asks for a token by name. Then no job may run on a Ray that would not look at it."""
    return target.ray.auth == "token" or (lists_token(target) and target.ray.auth == "auto")


def unprotected(target: Target) -> Unprotected | None:
    """Return why a job's Ray has no token, ``None`` where it has, or where only the node's Ray decides."""
    if target.ray.auth == "disabled":
        return Unprotected("ray.auth is disabled", "ray.auth")
    if holds("ray-token-auth", target.ray.version) is False:
        return Unprotected(f"Ray {target.ray.version} has no token authentication", "ray.version")
    asked = target.ray.auth == "token"  # then the absent secret is an error by itself
    if target.kind not in MAKES_TOKENS and not asked and not lists_token(target):
        return Unprotected(f"secrets has no {TOKEN}, so Ray has no token", "")
    return None
