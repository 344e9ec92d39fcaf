"""What stands in the way of a build or a push, told from the words of engines and registries.

Engines report all of this as text, each in words of its own; the patterns are those that Docker 20 to 28, BuildKit,
podman, Apptainer and the registries behind them were seen to use. The tests hold the texts.
"""

from __future__ import annotations

import re

from msgspec import Struct

from mngen.errors import EnvironmentFailure


class BuildFailure(EnvironmentFailure):
    """A known kind of failure: ``kind`` names it for machines, ``passing`` says that another try can help."""

    def __init__(self, kind: str, message: str, *, hint: str, passing: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.passing = passing


class Scene(Struct, frozen=True, kw_only=True):
    """What was being done when it failed."""

    program: str
    """The client: ``docker``, ``podman`` or ``apptainer``."""
    doing: str = "build"
    """``build``, ``push`` or ``read``."""
    reference: str = ""
    registry: str = ""
    """The registry's host."""
    logged_in: bool = False
    """Whether the client keeps a login for that registry."""
    address: str = ""
    """Where the engine is looked for."""


class _Kind(Struct, frozen=True, kw_only=True):
    name: str
    pattern: re.Pattern[str]
    message: str
    hint: str
    passing: bool = False
    doing: str = ""
    """What it can happen to; empty: everything."""
    logged_in: bool | None = None
    """Whether there must be a login, or must be none; ``None``: no matter."""

    def fits(self, said: str, scene: Scene) -> bool:
        """Tell whether a text means this kind."""
        return (
            self.doing in {"", scene.doing}
            and self.logged_in in {None, scene.logged_in}
            and self.pattern.search(said) is not None
        )


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_LOGIN = _any(
    r"no basic auth credentials",
    r"\b401\b",
    r"unauthorized",
    r"authentication required",
    r"incorrect username or password",
    r"invalid username/password",
    r"token has expired",
    r"authorization failed",
)
_ABSENT = "`{reference}` does not exist in its registry, or not for this platform"
_SPELLING = "look at the spelling, and whether the tag was deleted; a digest from `mngen lock` outlives a moved tag"
_FREE = (
    "make room: `docker system df` and `docker builder prune`, or `podman system prune`; or move the engine's folder"
)
_CA = (
    "give the engine the CA as /etc/docker/certs.d/{registry}/ca.crt, podman in /etc/containers/certs.d; "
    "mngen's own requests take `--ca-bundle FILE`"
)

_KINDS = (
    _Kind(
        name="disk-full",
        pattern=_any(r"no space left on device", r"disk quota exceeded"),
        message="the disk is full where {program} keeps its images",
        hint=_FREE,
    ),
    _Kind(
        name="engine-denied",
        pattern=_any(
            r"permission denied while trying to connect to the docker",
            r"dial unix \S+: connect: permission denied",
            r"PermissionError\(13",
        ),
        message="this user may not use the engine at {address}",
        hint="join the socket's group (`docker`), or use an engine of your own: `--builder podman`",
    ),
    _Kind(
        name="engine-unreachable",
        pattern=_any(
            r"cannot connect to the docker daemon",
            r"error during connect",
            r"is the docker daemon running",
            r"failed to connect to the docker api",
            r"error while fetching server api version",
            r"unable to connect to podman",
            r"dial unix \S+: connect:",
            r"unable to resolve docker endpoint",
            r"FileNotFoundError\(2",
            r"ConnectionRefusedError\(111",
            r"unable to parse docker host",
            r"invalid bind address format",
        ),
        message="no container engine answers at {address}",
        hint="start it, or set DOCKER_HOST (`docker context use`; podman: CONTAINER_HOST) to the engine's socket",
    ),
    _Kind(
        name="no-buildkit",
        pattern=_any(
            r"requires buildkit",
            r"buildkit is (?:not supported|currently disabled|not enabled)",
            r"buildx component is missing",
            r"unknown flag: --progress",
            r"server doesn't support",
            r"failed to list workers",
            r"/(?:grpc|session)\b.*(?:404|not found)",
            r"unable to upgrade to h2c",
            r"moby/buildkit:buildx-stable",
        ),
        message="the engine at {address} has no BuildKit",
        hint="use Docker 23 or newer with buildx; or set image.builder to `podman` or `classic`, and render again",
    ),
    _Kind(
        name="certificate",
        pattern=_any(
            r"x509:",
            r"certificate signed by unknown authority",
            r"certificate.verify.failed",
            r"tls: failed to verify",
            r"server gave http response to https client",
        ),
        message="the certificate of `{registry}` is not trusted",
        hint=_CA,
    ),
    _Kind(
        name="base-unknown",
        pattern=_any(r"repository does not exist or may require"),
        message=_ABSENT,
        hint=_SPELLING,
    ),
    _Kind(
        name="login-refused",
        pattern=_LOGIN,
        message="`{registry}` does not accept the login that {program} keeps: a wrong password, or it expired",
        hint="run `{login} {registry}`",
        logged_in=True,
    ),
    _Kind(
        name="login-missing",
        pattern=_LOGIN,
        message="`{registry}` asks for a login, and {program} keeps none for it",
        hint="run `{login} {registry}`",
    ),
    _Kind(
        name="tag-immutable",
        pattern=_any(r"immutable", r"\b412\b", r"precondition failed", r"cannot be overwritten"),
        message="`{reference}` is there already, and `{registry}` does not let a tag move",
        hint="give the image a new tag: image.variants.*.tag, or `--tag`",
        doing="push",
    ),
    _Kind(
        name="registry-busy",
        pattern=_any(r"\b429\b", r"toomanyrequests", r"too many requests", r"rate limit"),
        message="`{registry}` takes no more requests for now (429)",
        hint="wait, or log in: many registries allow more to users they know",
        passing=True,
    ),
    _Kind(
        name="repository-unknown",
        pattern=_any(r"name.unknown", r"repository name not known", r"does not exist in the registry"),
        message="`{registry}` has no repository for `{reference}`",
        hint="have it created first; some registries do not make one on a push",
        doing="push",
    ),
    _Kind(
        name="base-unknown",
        pattern=_any(
            r"manifest.unknown",
            r"name.unknown",
            r"repository name not known",
            r"requested image not found",
            r"no such image",
            r": not found\b",
            r"\b404\b",
            r"manifest for \S+ not found",
            r"no match for platform",
            r"no image found in (?:manifest list|image index)",
        ),
        message=_ABSENT,
        hint=_SPELLING,
    ),
    _Kind(
        name="push-denied",
        pattern=_any(
            r"insufficient_scope",
            r"requested access to the resource is denied",
            r"\b403\b",
            r"forbidden",
            r"permission_denied",
            r"\bdenied:",
            r": denied\b",
        ),
        message="`{registry}` does not let this login use `{reference}`",
        hint="ask for the right to it, or set image.repository to a place of your own",
    ),
    _Kind(
        name="registry-unavailable",
        pattern=_any(
            r"\b50[0-4]\b", r"service unavailable", r"bad gateway", r"gateway timeout", r"internal server error"
        ),
        message="`{registry}` cannot answer now (5xx)",
        hint="try again later; layers that arrived are not sent again",
        passing=True,
    ),
    _Kind(
        name="connection-lost",
        pattern=_any(
            r"connection reset",
            r"unexpected eof",
            r"broken pipe",
            r"\beof\b",
            r"handshake timeout",
            r"i/o timeout",
            r"timed out",
            r"timeout exceeded",
            r"deadline exceeded",
            r"remote end closed",
        ),
        message="the connection to `{registry}` broke",
        hint="try again; layers that arrived are not sent again",
        passing=True,
    ),
    _Kind(
        name="registry-unreachable",
        pattern=_any(
            r"connection refused",
            r"no such host",
            r"no route to host",
            r"network is unreachable",
            r"name resolution",
            r"name or service not",
            r"server misbehaving",
            r"failed to resolve",
        ),
        message="`{registry}` cannot be reached from here",
        hint="look at the registry's name, the network, and the engine's proxy settings",
    ),
)
"""The first one that fits counts."""


def classify(said: str, scene: Scene) -> BuildFailure:
    """Return the failure that a text tells of; for none of the known kinds, it says the text's last line."""
    words = {
        "program": scene.program,
        "reference": scene.reference or "the image",
        "registry": scene.registry or "the registry",
        "address": scene.address or "its usual place",
        "login": "apptainer registry login" if scene.program == "apptainer" else f"{scene.program} login",
    }
    for kind in _KINDS:
        if kind.fits(said, scene):
            hint = kind.hint.format(**words)
            return BuildFailure(kind.name, kind.message.format(**words), hint=hint, passing=kind.passing)
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "it said nothing")
    return BuildFailure(
        "unknown",
        f"{scene.program} cannot {scene.doing} {words['reference']}: {last}",
        hint="`mngen build-image --dry-run` prints the commands, to be run by hand",
    )
