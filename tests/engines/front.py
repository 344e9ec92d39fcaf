"""A proxy in front of a registry, so that pushes meet real faults: front.py LISTEN UPSTREAM [immutable].

What is to go wrong is told while it runs, with PUT /_fault and a JSON document:

    {"match": "PUT .*/manifests/", "times": 2, "status": 503}     or "reset": true in place of a status
    {"match": …, "times": …, "status": 403, "code": "DENIED", "message": "…"}

A request that matches gets that answer, `times` times. With `immutable`, a tag that is there cannot be pushed again
with another digest (412), as registries with that setting do; the one behind has no such setting.
"""

import hashlib
import http.client
import json
import re
import socket
import struct
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

ONE_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "content-length"}
ACCEPT = (
    "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, "
    "application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.docker.distribution.manifest.v2+json"
)


class Front(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    upstream = ""
    immutable = False
    fault: ClassVar[dict[str, Any]] = {}

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def forward(self) -> None:
        """Answer one request: with a fault, or with what the registry says."""
        if self.path == "/_fault":
            Front.fault = json.loads(b"".join(self.body()))
            self.answer(200)
        elif self.due():
            self.fail()
        elif self.command == "PUT" and (match := re.fullmatch(r"/v2/.+/manifests/([^/:]+)", self.path)):
            self.put_manifest(match[1])
        else:
            self.pass_on(self.body())

    def due(self) -> bool:
        """Tell whether this request is one that fails, and count it."""
        fault = Front.fault
        if fault.get("times", 0) < 1 or not re.search(fault["match"], f"{self.command} {self.path}"):
            return False
        fault["times"] -= 1
        return True

    def fail(self) -> None:
        """Answer with the fault."""
        if Front.fault.get("reset"):
            # A linger time of zero makes close() send a reset: socket(7).
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        for _ in self.body():
            pass
        fault = {"code": "UNAVAILABLE", "message": "this is a fault of a test", **Front.fault}
        self.refuse(fault["status"], fault["code"], fault["message"])

    def refuse(self, status: int, code: str, message: str) -> None:
        """Answer as a registry refuses."""
        self.answer(status, json.dumps({"errors": [{"code": code, "message": message}]}).encode())

    def put_manifest(self, tag: str) -> None:
        """Pass on a manifest, unless its tag is taken."""
        data = b"".join(self.body())
        there = self.digest_of(tag) if Front.immutable else ""
        if there not in {"", "sha256:" + hashlib.sha256(data).hexdigest()}:
            self.refuse(412, "PRECONDITION", f"the tag {tag} is immutable")
        else:
            self.pass_on(iter([data]))

    def digest_of(self, tag: str) -> str:
        """What a tag names now."""
        connection = http.client.HTTPConnection(Front.upstream, timeout=60)
        connection.request("HEAD", f"{self.path.rpartition('/')[0]}/{tag}", headers={"Accept": ACCEPT})
        return connection.getresponse().headers.get("Docker-Content-Digest", "")

    def body(self) -> Iterator[bytes]:
        """The request's body, however it is framed."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        left = int(self.headers.get("Content-Length") or 0)
        while left and (data := self.rfile.read(min(left, 1 << 16))):
            left -= len(data)
            yield data

    def pass_on(self, body: Iterator[bytes]) -> None:
        """Ask the registry behind."""
        data = b"".join(body)
        # Docker sends a line for each type that it accepts.
        names = dict.fromkeys(name for name in self.headers if name.lower() not in ONE_HOP)
        headers = {name: ", ".join(self.headers.get_all(name) or ()) for name in names}
        connection = http.client.HTTPConnection(Front.upstream, timeout=60)
        connection.request(self.command, self.path, data or None, headers)
        found = connection.getresponse()
        self.answer(found.status, found.read(), found.headers)
        connection.close()

    def answer(self, status: int, data: bytes = b"", headers: http.client.HTTPMessage | None = None) -> None:
        """Send an answer."""
        self.send_response(status)
        length = len(data)
        for name, value in headers.items() if headers else ():
            if name.lower() == "content-length" and self.command == "HEAD":
                length = int(value)
            elif name.lower() not in ONE_HOP | {"date", "server"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


for method in ("GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"):
    setattr(Front, f"do_{method}", Front.forward)


def main() -> None:
    """Serve until killed."""
    listen, Front.upstream, *rest = sys.argv[1:]
    Front.immutable = "immutable" in rest
    host, _, port = listen.rpartition(":")
    ThreadingHTTPServer((host, int(port)), Front).serve_forever()


if __name__ == "__main__":
    main()
