"""A registry in this process, which answers what a test tells it to."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

INDEX = "application/vnd.oci.image.index.v1+json"


@dataclass
class FakeRegistry:
    """What it holds, what goes wrong, and what it was asked."""

    address: str = ""
    documents: dict[str, bytes] = field(default_factory=dict)
    """By path below ``/v2/``."""
    statuses: list[int] = field(default_factory=list)
    """Statuses of the next answers, in order; afterwards all goes well."""
    basic: str = ""
    """``user:password`` that is asked for."""
    bearer: bool = False
    """Whether it sends clients to ``/token`` with that login."""
    token: bytes = b'{"token": "of-the-day"}'
    asked: list[str] = field(default_factory=list)

    def put(self, name: str, tag: str, document: dict[str, Any]) -> str:
        """Hold a manifest under a tag and its digest, which is returned."""
        data = json.dumps(document).encode()
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        self.documents |= {f"{name}/manifests/{tag}": data, f"{name}/manifests/{digest}": data}
        return digest

    def put_image(self, name: str, tag: str, labels: dict[str, str]) -> str:
        """Hold an image with these labels."""
        config = json.dumps({"config": {"Labels": labels}}).encode()
        blob = "sha256:" + hashlib.sha256(config).hexdigest()
        self.documents[f"{name}/blobs/{blob}"] = config
        return self.put(name, tag, {"schemaVersion": 2, "config": {"digest": blob}})

    def answer(self, path: str, authorization: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body."""
        self.asked.append(path)
        basic = "Basic " + base64.b64encode(self.basic.encode()).decode()
        if path.startswith("/token"):
            return (200, {}, self.token) if authorization == basic else (401, {}, b"")
        wanted = "Bearer of-the-day" if self.bearer else basic
        if self.basic and authorization != wanted:
            realm = f'Bearer realm="http://{self.address}/token",service="here",scope="pull"'
            refusal = b'{"errors": [{"code": "UNAUTHORIZED", "message": "authentication required"}]}'
            return 401, {"WWW-Authenticate": realm if self.bearer else 'Basic realm="here"'}, refusal
        if path != "/v2/" and self.statuses:
            return self.statuses.pop(0), {"Retry-After": "0"}, b"{}"
        data = self.documents.get(path.removeprefix("/v2/"))
        if data is None and path != "/v2/":
            return 404, {}, b'{"errors": [{"code": "MANIFEST_UNKNOWN", "message": "manifest unknown"}]}'
        return 200, {"Content-Type": INDEX}, b"{}" if data is None else data


@pytest.fixture
def registry() -> Iterator[FakeRegistry]:
    """A registry on this machine without TLS."""
    fake = FakeRegistry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, data = fake.answer(self.path, self.headers.get("Authorization", ""))
            self.send_response(status)
            for name, value in (headers | {"Content-Length": str(len(data))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.address = f"127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield fake
    server.shutdown()
    thread.join()
    server.server_close()
