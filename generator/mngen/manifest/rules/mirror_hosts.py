"""Hosts of mirrors that are nearly those that everybody fetches from."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target
from mngen.manifest.nearest import nearest

_KNOWN = {
    "images": ("docker.io", "nvcr.io", "ghcr.io", "gcr.io", "quay.io", "public.ecr.aws", "registry.gitlab.com"),
    "apt": (
        *("archive.ubuntu.com", "security.ubuntu.com", "ports.ubuntu.com", "deb.debian.org", "security.debian.org"),
        *("developer.download.nvidia.com", "repo.radeon.com", "ppa.launchpadcontent.net"),
    ),
    "pip": ("pypi.org", "pypi.nvidia.com", "download.pytorch.org", "repo.radeon.com", "wheels.vllm.ai"),
    "git": ("github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "huggingface.co"),
    "files": ("raw.githubusercontent.com", "github.com", "huggingface.co", "repo.anaconda.com", "conda.anaconda.org"),
}
_ALIASES = {"hub.docker.com": "docker.io", "index.docker.io": "docker.io", "registry-1.docker.io": "docker.io"}
"""Names of Docker Hub that images are not called by: https://github.com/distribution/reference writes docker.io."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn of a host that is no known one, and nearly is (MN258)."""
    for path, _ in target.mirrors.single():
        kind, _, key = path.partition(".")
        meant = _meant(kind, key) if key else ""
        if meant:
            message = f"mirrors.{path} is for a host that is nearly a well-known one"
            yield warning(target, "MN258", f"mirrors.{path}", message, hint=f"did you mean `{meant}`?")


def _meant(kind: str, key: str) -> str:
    """Return the key that was probably meant; empty when there is nothing to say."""
    host, slash, path = key.partition("/")
    known = _KNOWN[kind]
    if kind == "images" and host in _ALIASES:
        return _ALIASES[host] + slash + path
    # A mirror of a country is a name below the one of all.
    if host in known or any(host.endswith(f".{name}") for name in known):
        return ""
    close = nearest(host, known, likeness=0.85)
    return close + slash + path if close else ""
