"""What an image reference says: its parts, and the CUDA or ROCm version that its tag names."""

from __future__ import annotations

import re

from msgspec import Struct

_REFERENCE = re.compile(
    r"(?:(?P<registry>[A-Za-z0-9.-]+\.[A-Za-z0-9.-]+(?::\d+)?|[A-Za-z0-9-]+:\d+|localhost|\[[0-9a-fA-F:]+\](?::\d+)?)/)?"
    r"(?P<path>[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*)"
    r"(?::(?P<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?"
    r"(?:@(?P<digest>sha256:[0-9a-f]{64}))?",
)
"""Grammar of https://github.com/distribution/reference, with sha256 as the one digest algorithm."""

HUB = "docker.io"
"""The registry of image names that name none."""

_TOOLKIT = {
    "cuda": (
        r"(?:^|/)nvidia/cuda:(\d+\.\d+(?:\.\d+)?)",
        r"cuda[-_.]?(\d+\.\d+(?:\.\d+)?)",
        r"[-_.]cu(\d{2})(\d)(?!\d)",
    ),
    "rocm": (
        r"(?:^|/)rocm/(?:dev|rocm)[^:]*:(\d+\.\d+(?:\.\d+)?)",
        r"rocm[-_.]?(\d+\.\d+(?:\.\d+)?)",
    ),
}
"""How published images spell their toolkit's version, the surest spelling first."""

_WITHOUT_PYTHON = re.compile(
    r"(?:^|/)(?:nvidia/cuda|rocm/dev-(?:ubuntu|almalinux)-[0-9.]+|(?:library/)?(?:ubuntu|debian))(?=[:@]|$)"
)
"""Bases that ship no Python of their own: toolkits and plain distributions."""

_WITHOUT_GIT = re.compile(
    r"(?:^|/)(?:nvidia/cuda:[^@]*ubuntu|rocm/dev-ubuntu-[0-9.]+(?=[:@]|$)|(?:library/)?(?:ubuntu|debian)(?=[:@]|$)"
    r"|(?:library/)?python:[^@]*slim)"
)
"""Bases of Debian and Ubuntu that ship no git, or need not: https://hub.docker.com/_/python says so of ``slim``."""

_WITHOUT_CERTIFICATES = re.compile(r"(?:^|/)(?:library/)?(?:ubuntu|debian)(?=[:@]|$)")
"""Bases on which nothing is trusted yet; toolkits and Python have fetched their own parts over TLS."""

_DISTRIBUTIONS = {
    "ubuntu": {"20.04": ("focal", "3.8"), "22.04": ("jammy", "3.10"), "24.04": ("noble", "3.12")},
    "debian": {"11": ("bullseye", "3.9"), "12": ("bookworm", "3.11"), "13": ("trixie", "3.13")},
}
"""Releases, their code names and what their package python3 is: https://wiki.debian.org/Python and
https://documentation.ubuntu.com/ubuntu-for-developers/reference/availability/python/."""


class Reference(Struct, frozen=True):
    """An image reference in its parts; absent parts are empty."""

    name: str
    tag: str
    digest: str


def image_form(text: str) -> str:
    """Return the key of ``image`` that takes a text: ``sif`` and ``sqsh`` for files that end so, else ``ref``."""
    return next((form for form in ("sif", "sqsh") if text.endswith(f".{form}")), "ref")


def parse_reference(text: str) -> Reference | None:
    """Split ``[registry/]path[:tag][@digest]``, or return ``None`` when the text is no such thing."""
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    registry = match["registry"]
    name = f"{registry}/{match['path']}" if registry else match["path"]
    return Reference(name, match["tag"] or "", match["digest"] or "")


def split_host(name: str) -> tuple[str, str]:
    """Return the registry's host that a name begins with, or an empty text, and the rest.

    A first part is a host when it has a dot or a colon: https://github.com/distribution/reference.
    """
    first, slash, rest = name.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return first, rest
    return "", name


def at_registry(name: str) -> tuple[str, str]:
    """Return host and path of a name, by the same rules: ``debian`` is ``library/debian`` at ``docker.io``."""
    host, path = split_host(name)
    if host in {"", HUB, "index.docker.io"}:
        return HUB, path if "/" in path else f"library/{path}"
    return host, path


def toolkit_version(base: str, variant: str) -> str:
    """Return the CUDA or ROCm version that a base's reference names, or an empty text.

    >>> toolkit_version("nvidia/cuda:12.8.1-devel-ubuntu24.04", "cuda")
    '12.8.1'
    >>> toolkit_version("example.org/sglang:v0.5-cu129", "cuda")
    '12.9'
    """
    for pattern in _TOOLKIT.get(variant, ()):
        match = re.search(pattern, base)
        if match:
            return ".".join(match.groups())
    return ""


def python_version(base: str) -> str:
    """Return the Python version that a tag names (``py3.10``), or an empty text."""
    match = re.search(r"[:_.-]py(3\.\d+)", base)
    return match[1] if match else ""


def lacks_python(base: str) -> bool:
    """Tell whether a base is known to come without Python."""
    return _WITHOUT_PYTHON.search(base) is not None


def lacks_git(base: str) -> bool:
    """Tell whether a base, on which apt installs it, is known to come without git.

    >>> lacks_git("python:3.12-slim"), lacks_git("nvidia/cuda:12.8.1-devel-ubi9")
    (True, False)
    """
    return _WITHOUT_GIT.search(base) is not None


def lacks_certificates(base: str) -> bool:
    """Tell whether a base is known to come without certificates of authorities."""
    return _WITHOUT_CERTIFICATES.search(base) is not None


def distribution_python(base: str) -> tuple[str, str]:
    """Return the distribution that a base's reference names and the version of its python3, or two empty texts.

    >>> distribution_python("nvidia/cuda:12.8.1-devel-ubuntu22.04")
    ('Ubuntu 22.04', '3.10')
    """
    for name, releases in _DISTRIBUTIONS.items():
        for release, (code, python) in releases.items():
            if not (release in base or code in base):
                continue
            spellings = rf"{re.escape(release)}(?:\.[0-9]+)*|{code}"
            if re.search(
                rf"(?:^|/){name}:(?:{spellings})(?![0-9.a-z])|[-_.:]{name}-?{re.escape(release)}(?![0-9])", base
            ):
                return f"{name.capitalize()} {release}", python
    return "", ""
