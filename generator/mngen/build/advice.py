"""What helps a step of the image that failed, as far as its last lines tell: each pattern is what the tool prints."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

KILLED = 137
"""What a shell reports for a command that SIGKILL ended; on building machines the kernel's, short of memory."""


class _Advice(Struct, frozen=True):
    """A pattern of one line, and what helps; the pattern's group ``what`` is filled in."""

    pattern: re.Pattern[str]
    hint: str


_KNOWN = (
    _Advice(
        re.compile(r"No space left on device|Disk quota exceeded", re.IGNORECASE),
        "the disk is full where the builder works; make room: `docker system df` and `docker builder prune`, or "
        "`podman system prune`",
    ),
    _Advice(
        re.compile(
            r"Temporary failure (?:in name resolution|resolving)|Could not resolve|Name or service not known|"
            r"Network is unreachable|NewConnectionError|ConnectTimeoutError|Connection timed out",
            re.IGNORECASE,
        ),
        "the step found no way out: `mngen urls` lists what a build contacts, and `mirrors` puts a site's own in "
        "their place",
    ),
    # pip shows what a build says further in; it builds in an environment of its own, where nothing of the image is
    # (https://pip.pypa.io/en/stable/reference/build-system/#disabling-build-isolation).
    _Advice(
        re.compile(r"^ {2,}.*ModuleNotFoundError: No module named '(?P<what>torch|packaging|wheel|numpy|ninja)'"),
        "pip compiles a package where {what} is not seen: write that package below pip.no_build_isolation instead of "
        "pip.packages, and what it is compiled with below pip.packages",
    ),
    _Advice(
        re.compile(r"(?:No matching distribution found for|satisfies the requirement) (?P<what>[^\s(]+)"),
        "no index that the image asks has {what} for this Python, platform or version; look at its spelling, and at "
        "image.python and pip.extra_index_urls",
    ),
    _Advice(
        re.compile(r"ResolutionImpossible|have conflicting dependencies|your requirements are unsatisfiable"),
        "the versions exclude each other, as the lines above name; loosen one of pip.packages, or of pip.constraints",
    ),
    _Advice(
        re.compile(r"THESE PACKAGES DO NOT MATCH THE HASHES"),
        "the index has another file than the one that was locked; remove the hash, or ask who changed the file",
    ),
    _Advice(
        re.compile(
            r"Unable to locate package (?P<what>\S+)|Package '?(?P<none>[^\s']+)'? has no installation candidate"
        ),
        "the base's distribution has no package {what}; look at its name for that release, or install it in "
        "image.steps",
    ),
    _Advice(
        re.compile(r"(?:Remote branch (?P<what>\S+) not found|pathspec '(?P<none>[^']+)' did not match)"),
        "the repository has no {what}; look at image.git, where `ref` is a tag, a branch or a commit",
    ),
)
"""The first one that fits counts; within one, the line that came last."""


def advise(lines: Iterable[str], status: int | None) -> str | None:
    """Return what helps, or ``None`` when the lines show nothing that is known."""
    said = list(lines)
    if status == KILLED:
        return (
            "something killed it, as the kernel does when memory runs out: compile less at once, "
            "image: {env: {build: {MAX_JOBS: 4}}}"
        )
    for advice in _KNOWN:
        found = next((match for line in reversed(said) if (match := advice.pattern.search(line))), None)
        if found is not None:
            groups = (value for value in found.groupdict().values() if value)
            return advice.hint.format(what=next(groups, ""))
    return None
