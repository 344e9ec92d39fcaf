"""Compares what a Dockerfile and a definition file build, from their two texts alone."""

from __future__ import annotations

import definition_reader
import dockerfile_reader

ACCOUNT_ONLY = {"HOME", "USER"}
"""Variables that only Docker needs: Apptainer sets them for the caller."""


def differences(
    dockerfile: str, definition: str, base_env: dict[str, str] | None = None, builder: str = "buildkit"
) -> list[str]:
    """Return in words what differs between the two images; an empty list means they are the same."""
    env = {"PATH": "/usr/bin:/bin", **(base_env or {})}
    left = dockerfile_reader.read(dockerfile, env, builder)
    right = definition_reader.read(definition, env)
    found = []
    if [stage.name for stage in left] != [stage.name for stage in right]:
        return [f"stages {[s.name for s in left]} and {[s.name for s in right]}"]
    for one, other in zip(left, right, strict=True):
        found += _stage(one, other)
    return found


def _stage(one, other) -> list[str]:
    title = one.name or "image"
    found = []
    if _base(one.base) != _base(other.base):
        found.append(f"{title}: base {one.base} and {other.base}")
    for mine, yours in zip(one.actions, other.actions, strict=False):
        if mine != yours:
            found.append(f"{title}: action {mine} and {yours}")
            break
    else:
        if len(one.actions) != len(other.actions):
            longer = max(one.actions, other.actions, key=len)
            found.append(f"{title}: only one has {longer[min(len(one.actions), len(other.actions))]}")
    if not one.name:
        shipped = {name: found for name, found in one.shipped.items() if name not in ACCOUNT_ONLY}
        for what, mine, yours in (
            ("variables", shipped, other.shipped),
            ("labels", one.labels, other.labels),
            ("folder", one.cwd, other.cwd),
            ("tests", one.tests, other.tests),
            ("start", one.start, other.start),
        ):
            if mine != yours:
                found.append(f"{title}: {what} {mine} and {yours}")
    if one.secrets != other.secrets:
        found.append(f"{title}: secrets {one.secrets} and {other.secrets}")
    return found


def _base(reference: str) -> str:
    """Return a reference without a tag beside a digest, which Apptainer does not take."""
    name, at, digest = reference.partition("@")
    folder, slash, last = name.rpartition("/")
    return f"{folder}{slash}{last.partition(':')[0]}@{digest}" if at else reference
