"""Reading from a registry: which digest a tag has now, and the description of an image.

The interface is that of https://github.com/opencontainers/distribution-spec/blob/main/spec.md, the way to a token that
of https://distribution.github.io/distribution/spec/auth/token/.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mngen.build.credentials import Login, login
from mngen.build.failures import BuildFailure, Scene, classify
from mngen.build.names import Location, location
from mngen.build.session import is_local, own_ca, session
from mngen.manifest.base_image import HUB

if TYPE_CHECKING:
    from requests import Response

ACCEPT = (
    "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json"
)
SECONDS = (10.0, 60.0)
"""How long to wait for a connection, and for the next bytes."""
_CHALLENGE = re.compile(r'(\w+)="([^"]*)"')


class Found(Struct, frozen=True):
    """One manifest or index: its digest and its document."""

    digest: str
    document: dict[str, Any]

    @property
    def platforms(self) -> dict[str, str]:
        """Digests by ``os/architecture[/variant]``; empty for a single image."""
        found = {}
        for item in map(_fields, _items(self.document.get("manifests"))):
            platform, digest = _fields(item.get("platform")), item.get("digest")
            parts = [str(platform.get(name) or "") for name in ("os", "architecture", "variant")]
            # Attestations stand in an index too, as platform unknown/unknown.
            if isinstance(digest, str) and parts[0] not in {"", "unknown"}:
                found["/".join(filter(None, parts))] = digest
        return found


class Registry:
    """One registry, asked with the login that docker or podman keeps for it."""

    def __init__(self, host: str, *, ca_bundle: str = "", kept: Login | None = None) -> None:
        self.host = host
        self._login = login(host) if kept is None else kept
        self._session = session(ca_bundle or own_ca(host))
        self._base = ""

    def find(self, place: Location) -> Found:
        """Return what a tag or digest names now. Raises ``BuildFailure``."""
        return self._get(place, f"manifests/{place.digest or place.tag}", {"Accept": ACCEPT})

    def labels(self, place: Location, found: Found) -> dict[str, str]:
        """Return an image's labels; of an index, those of its first platform. Raises ``BuildFailure``."""
        if found.platforms:
            found = self.find(Location(place.host, place.path, "", next(iter(found.platforms.values()))))
        digest = _fields(found.document.get("config")).get("digest")
        if not isinstance(digest, str):
            return {}
        config = _fields(self._get(place, f"blobs/{digest}", {}).document.get("config"))
        return {str(name): str(value) for name, value in _fields(config.get("Labels")).items()}

    def _get(self, place: Location, what: str, headers: dict[str, str]) -> Found:
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
        document = _document(answer)
        if document is None:
            raise BuildFailure(
                "no-registry",
                f"what answers at `{self.host}` is no registry: its answer is no JSON object",
                hint="look at the registry's name, and whether a proxy or a login page answers in its place",
            )
        return Found("sha256:" + hashlib.sha256(answer.content).hexdigest(), document)

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
            if is_local(host) and not self._speaks_tls():
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
        kind = challenge.partition(" ")[0].lower()
        if kind == "basic":
            pair = b64encode(f"{self._login.user}:{self._login.password}".encode()).decode()
            return {"Authorization": f"Basic {pair}"} if self._login.user else None
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
        known = _document(answer) if answer.status_code == 200 else None
        if known is None:
            return ""
        return str(known.get("token") or known.get("access_token") or "")


def read_digest(reference: str, ca_bundle: str = "") -> str:
    """Return the digest that a reference has in its registry now. Raises ``BuildFailure``."""
    place = location(reference)
    if place is None:
        raise BuildFailure("no-reference", f"`{reference}` is no image reference", hint="write NAME:TAG")
    return Registry(place.host, ca_bundle=ca_bundle).find(place).digest


def _document(answer: Response) -> dict[str, Any] | None:
    """Return the JSON object that an answer holds, or ``None`` when it holds something else."""
    try:
        found = answer.json()
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _fields(value: Any) -> dict[str, Any]:
    """Return an object's fields; a value of another kind has none."""
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _refusal(answer: Response, scene: Scene) -> BuildFailure:
    words = json.dumps((_document(answer) or {}).get("errors") or "")
    return classify(f"{answer.status_code} {answer.reason} {words}", scene)


def _shown(place: Location) -> str:
    name = place.path if place.host == HUB else place.name
    return name + (f"@{place.digest}" if place.digest else f":{place.tag}")
