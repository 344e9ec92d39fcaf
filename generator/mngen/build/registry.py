"""Reading from a registry: which digest a tag has now, and the description of an image.

The interface is that of https://github.com/opencontainers/distribution-spec/blob/main/spec.md, the way to a token that
of https://distribution.github.io/distribution/spec/auth/token/.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mngen.build.credentials import Login, login
from mngen.build.failures import BuildFailure, Scene, classify
from mngen.build.names import HUB, Location, location

if TYPE_CHECKING:
    from requests import Response, Session

ACCEPT = (
    "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json"
)
SECONDS = (10.0, 60.0)
"""How long to wait for a connection, and for the next bytes."""
TRIES = 4
_CHALLENGE = re.compile(r'(\w+)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Found:
    """One manifest or index: its digest and its document."""

    digest: str
    document: dict[str, Any]

    @property
    def platforms(self) -> dict[str, str]:
        """Digests by ``os/architecture[/variant]``; empty for a single image."""
        found = {}
        for item in self.document.get("manifests") or ():
            platform = item.get("platform") or {}
            parts = (platform.get("os", ""), platform.get("architecture", ""), platform.get("variant", ""))
            # Attestations stand in an index too, as platform unknown/unknown.
            if parts[0] not in {"", "unknown"}:
                found["/".join(filter(None, parts))] = item["digest"]
        return found


class Registry:
    """One registry, asked with the login that docker or podman keeps for it."""

    def __init__(self, host: str, *, ca_bundle: str = "", kept: Login | None = None) -> None:
        self.host = host
        self._login = login(host) if kept is None else kept
        self._session = _session(ca_bundle or _own_ca(host))
        self._base = ""

    def find(self, place: Location) -> Found:
        """Return what a tag or digest names now. Raises ``BuildFailure``."""
        answer = self._get(place, f"manifests/{place.digest or place.tag}", {"Accept": ACCEPT})
        digest = "sha256:" + hashlib.sha256(answer.content).hexdigest()
        return Found(digest, answer.json())

    def labels(self, place: Location, found: Found, platform: str = "") -> dict[str, str]:
        """Return an image's labels; of an index, those of the wanted platform, else of its first one."""
        if found.platforms:
            digest = found.platforms.get(platform) or next(iter(found.platforms.values()))
            found = self.find(Location(place.host, place.path, "", digest))
        config = found.document.get("config") or {}
        answer = self._get(place, f"blobs/{config.get('digest', '')}", {})
        labels = (answer.json().get("config") or {}).get("Labels") or {}
        return {str(name): str(value) for name, value in labels.items()}

    def _get(self, place: Location, what: str, headers: dict[str, str]) -> Response:
        from requests import RequestException  # noqa: PLC0415 - heavy

        scene = Scene(
            program="docker", doing="read", reference=_shown(place), registry=self.host, logged_in=self._login.known
        )
        try:
            answer = self._request(place, what, headers)
        except RequestException as error:
            raise classify(str(error), scene) from error
        if answer.status_code != 200:
            raise _refusal(answer, scene)
        return answer

    def _request(self, place: Location, what: str, headers: dict[str, str]) -> Response:
        url = f"{self._address()}/v2/{place.path}/{what}"
        answer = self._session.get(url, headers=headers, timeout=SECONDS)
        if answer.status_code == 401:
            header = self._authorization(answer.headers.get("WWW-Authenticate", ""))
            if header is not None:
                answer = self._session.get(url, headers=headers | header, timeout=SECONDS)
        return answer

    def _address(self) -> str:
        """Return where to ask: over TLS, but for this machine's own registries, which docker asks without too."""
        if not self._base:
            host = "registry-1.docker.io" if self.host == HUB else self.host
            self._base = f"https://{host}"
            if _is_local(host) and not self._speaks_tls():
                self._base = f"http://{host}"
        return self._base

    def _speaks_tls(self) -> bool:
        from requests import ConnectionError as LostError  # noqa: PLC0415 - heavy
        from requests import get  # noqa: PLC0415

        try:
            # Asked once: a registry without TLS answers the same however often it is asked.
            get(f"{self._base}/v2/", timeout=SECONDS, verify=self._session.verify)
        except LostError as error:
            return "CERTIFICATE_VERIFY_FAILED" in str(error)
        return True

    def _authorization(self, challenge: str) -> dict[str, str] | None:
        """Return the header that answers a challenge, or ``None`` when there is nothing to answer with."""
        from requests.auth import _basic_auth_str  # noqa: PLC0415 - heavy

        kind = challenge.partition(" ")[0].lower()
        if kind == "basic":
            return (
                {"Authorization": _basic_auth_str(self._login.user, self._login.password)} if self._login.user else None
            )
        if kind != "bearer":
            return None
        fields = dict(_CHALLENGE.findall(challenge))
        token = self._token(fields.pop("realm", ""), fields)
        return {"Authorization": f"Bearer {token}"} if token else None

    def _token(self, realm: str, fields: dict[str, str]) -> str:
        wanted = {name: value for name, value in fields.items() if name in {"service", "scope"}}
        if self._login.identity_token:
            data = {**wanted, "grant_type": "refresh_token", "refresh_token": self._login.identity_token}
            answer = self._session.post(realm, data={**data, "client_id": "mngen"}, timeout=SECONDS)
        else:
            auth = (self._login.user, self._login.password) if self._login.user else None
            answer = self._session.get(realm, params=wanted, auth=auth, timeout=SECONDS)
        if answer.status_code != 200:
            return ""
        known = answer.json()
        return str(known.get("token") or known.get("access_token") or "")


def read_digest(reference: str, ca_bundle: str = "") -> str:
    """Return the digest that a reference has in its registry now. Raises ``BuildFailure``."""
    place = location(reference)
    if place is None:
        raise BuildFailure("no-reference", f"`{reference}` is no image reference", hint="write NAME:TAG")
    return Registry(place.host, ca_bundle=ca_bundle).find(place).digest


def _refusal(answer: Response, scene: Scene) -> BuildFailure:
    try:
        words = json.dumps(answer.json().get("errors") or "")
    except (ValueError, AttributeError):
        words = ""
    return classify(f"{answer.status_code} {answer.reason} {words}", scene)


def _shown(place: Location) -> str:
    name = place.path if place.host == HUB else place.name
    return name + (f"@{place.digest}" if place.digest else f":{place.tag}")


def _session(ca_bundle: str) -> Session:
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
    session = Session()
    session.mount("https://", HTTPAdapter(max_retries=retry))
    session.mount("http://", HTTPAdapter(max_retries=retry))
    if ca_bundle:
        session.verify = ca_bundle
    return session


def _own_ca(host: str) -> str:
    """Return the CA that docker or podman is given for this registry, or an empty text."""
    for folder in ("/etc/docker/certs.d", "/etc/containers/certs.d"):
        found = Path(folder) / host / "ca.crt"
        if found.is_file():
            return str(found)
    return ""


def _is_local(host: str) -> bool:
    """Tell whether docker takes a registry for one of this machine: https://docs.docker.com/reference/cli/dockerd/."""
    name = host.rpartition(":")[0] or host
    if name == "localhost":
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
