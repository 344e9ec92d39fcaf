"""How registries are asked: again where that can help, and with certificates that docker or podman trusts too."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from requests import Session

TRIES = 4
"""How often the same is asked again."""


def session(ca_bundle: str) -> Session:
    """Return a session that asks again, with growing pauses, where a second answer may differ."""
    from requests import Session  # noqa: PLC0415 - heavy
    from requests.adapters import HTTPAdapter  # noqa: PLC0415
    from urllib3.util import Retry  # noqa: PLC0415

    retry = Retry(
        total=TRIES,
        connect=1,
        backoff_factor=0.3,
        backoff_max=20,
        status_forcelist=(429, 500, 502, 503, 504),
        raise_on_status=False,
    )
    made = Session()
    made.mount("https://", HTTPAdapter(max_retries=retry))
    made.mount("http://", HTTPAdapter(max_retries=retry))
    if ca_bundle:
        made.verify = ca_bundle
    return made


def own_ca(host: str) -> str:
    """Return the CA that docker or podman is given for this registry, or an empty text."""
    for folder in ("/etc/docker/certs.d", "/etc/containers/certs.d"):
        found = Path(folder) / host / "ca.crt"
        if found.is_file():
            return str(found)
    return ""


def is_local(host: str) -> bool:
    """Tell whether docker takes a registry for one of this machine: https://docs.docker.com/reference/cli/dockerd/."""
    name = host.rpartition(":")[0] or host
    if name == "localhost":
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
