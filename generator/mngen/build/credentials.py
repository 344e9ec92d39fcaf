"""The logins that the clients keep, and every text in them that must not be shown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from mngen.manifest.base_image import HUB


class Login(Struct, frozen=True):
    """A user's name and password for one registry, or a token that stands for both."""

    user: str = ""
    password: str = ""
    identity_token: str = ""

    @property
    def known(self) -> bool:
        """Tell whether there is a login at all."""
        return bool(self.user or self.identity_token)


def login(host: str) -> Login:
    """Return what docker, else podman, keeps for a registry; an empty login when neither does."""
    for path in _files():
        found = _from_file(path, host)
        if found.known:
            return found
    return Login()


def secret_texts(hosts: Iterable[str], build_secrets: Mapping[str, str]) -> list[str]:
    """Return what must never be shown: passwords and tokens of these registries, and the build's secrets.

    ``build_secrets`` are as :class:`~mngen.build.job.Job` has them.
    """
    found: list[str] = []
    for host in dict.fromkeys(hosts):
        kept = login(host)
        found += [kept.password, kept.identity_token]
    for source in build_secrets.values():
        kind, _, value = source.partition("=")
        found += _lines(value) if kind == "src" else [os.environ.get(value, "")]
    return [text for text in found if text]


def _files() -> list[Path]:
    """Return the files of logins, docker's first.

    Podman's: https://docs.podman.io/en/latest/markdown/podman-login.1.html
    """
    docker = Path(os.environ.get("DOCKER_CONFIG") or Path.home() / ".docker") / "config.json"
    if named := os.environ.get("REGISTRY_AUTH_FILE"):
        return [docker, Path(named)]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    own = Path(runtime) / "containers" if runtime else Path(f"/run/containers/{os.getuid()}")
    return [docker, own / "auth.json"]


def _from_file(path: Path, host: str) -> Login:
    from docker.auth import INDEX_NAME, load_config  # noqa: PLC0415 - heavy
    from docker.errors import DockerException  # noqa: PLC0415

    if not os.path.isfile(path):  # noqa: PTH113 - Path.is_file() raises where a folder may not be entered
        return Login()
    try:
        kept: dict[str, Any] = load_config(str(path)).resolve_authconfig(INDEX_NAME if host == HUB else host) or {}
    except (DockerException, OSError, ValueError):
        # A credential helper that is not installed here: the client's own message tells of it.
        return Login()
    return Login(
        kept.get("Username") or kept.get("username") or "",
        kept.get("Password") or kept.get("password") or "",
        kept.get("IdentityToken") or kept.get("identitytoken") or "",
    )


def _lines(name: str) -> list[str]:
    """Return the lines of a secret file: a log may show one of them alone."""
    try:
        text = Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [text.strip(), *(line.strip() for line in text.splitlines())]
