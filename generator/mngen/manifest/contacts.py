"""Who is asked for something: hosts in texts and in image names, and those that programs ask without being told.

A firewall sees more hosts than a manifest names: registries hand out files from other hosts. Those are listed too,
as far as their owners publish them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from msgspec import Struct

from mngen.manifest.base_image import HUB, at_registry
from mngen.manifest.mirrors import HUGGING_FACE, PYPI, SCP, URL
from mngen.manifest.whole_numbers import whole_number

_LAST_PORT = 65535
_PORTS = {"https": 443, "http": 80, "ssh": 22, "git": 9418}
_BEHIND = {
    # https://docs.docker.com/desktop/setup/allow-list/
    HUB: (
        *("registry-1.docker.io", "auth.docker.io", "production.cloudflare.docker.com"),
        *("production.cloudfront.docker.com", "*.r2.cloudflarestorage.com"),
    ),
    # https://access.redhat.com/articles/7001746
    "quay.io": ("quay.io", "cdn.quay.io", "cdn01.quay.io", "cdn02.quay.io", "cdn03.quay.io"),
    # https://docs.github.com/en/actions/reference/runners/self-hosted-runners#accessible-domains-by-function
    "ghcr.io": ("ghcr.io", "pkg-containers.githubusercontent.com"),
    # https://docs.pypi.org/api/ : the index leads to files of another host.
    "pypi.org": ("pypi.org", "files.pythonhosted.org"),
    # https://huggingface.co/docs/hub/xet/using-xet-storage : files come from hosts below hf.co.
    HUGGING_FACE: (HUGGING_FACE, "*.hf.co"),
}
"""What stands behind a name: the hosts that a client really asks."""
_RELEASES = re.compile(r"github\.com/[^/]+/[^/]+/releases/download/")
_RELEASE_FILES = ("release-assets.githubusercontent.com", "objects.githubusercontent.com")

_PIP = re.compile(r"\bpip[0-9.]*\s+(?:install|download|wheel)\b|\buv\s+(?:pip\s+(?:install|sync)|sync|add|run|tool)\b")
_PIP_ELSEWHERE = re.compile(r"(?:--index-url|--default-index|--no-index|\s-i)\b")
_HUB = re.compile(
    r"\b(?:hf|huggingface-cli)\s+(?:download|auth|upload)|huggingface_hub|snapshot_download|from_pretrained"
    r"|load_dataset\b"
)


class Contact(Struct, frozen=True, kw_only=True):
    """One host that is asked for something."""

    phase: str
    """``lock`` (`mngen lock`), ``build`` or ``job``."""
    host: str
    """Perhaps with ``*`` for any name below; ``?`` where it is not known."""
    port: int
    """0 where it is not known."""
    what: str
    """The URL or the image's name."""
    field: str
    """The manifest's field that it comes from."""
    where: str
    """The target, or the variant of the image."""
    how: str
    """``field``: a field's own meaning; ``text``: found in the user's text; ``default``: what a program asks
    without being told; ``mirror``: a mirror that a program is told of."""


class Origin(Struct, frozen=True):
    """Where contacts come from: all of a contact but the place that is asked."""

    phase: str
    field: str
    where: str
    how: str = "field"

    def place(self, form: str, rest: str, what: str) -> Iterator[Contact]:
        """Yield the hosts of one place, host and path; those of the machine itself are none."""
        authority = rest.partition("/")[0]
        match = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(.*))?", authority)
        host, port = (match[1].strip("[]"), match[2] or "") if match else (authority, "")
        if _is_own(host):
            return
        behind = (*_BEHIND.get(host, (host,)), *(_RELEASE_FILES if _RELEASES.match(rest) else ()))
        for name in behind:
            number = whole_number(port) if port.isdecimal() else _PORTS.get(form.removeprefix("git+"), 443)
            number = 0 if number is None or number > _LAST_PORT else number
            yield self._contact(name, number, what)

    def unknown(self, what: str) -> Iterator[Contact]:
        """Yield a contact whose host nothing here tells."""
        yield self._contact("?", 0, what)

    def _contact(self, host: str, port: int, what: str) -> Contact:
        return Contact(
            phase=self.phase, host=host, port=port, what=what, field=self.field, where=self.where, how=self.how
        )

    def image(self, reference: str) -> Iterator[Contact]:
        """Yield the hosts that an image is pulled from."""
        yield from self.place("https", "/".join(at_registry(reference)), reference)

    def text(self, text: str) -> Iterator[Contact]:
        """Yield the hosts that a text names; comment lines name what people may read."""
        code = re.sub(r"^[ \t]*#.*$", "", text, flags=re.MULTILINE)
        for match in URL.finditer(code):
            rest = match["rest"].rstrip(".,:")
            if match["form"] == "docker":
                yield from self.image(rest)
            else:
                yield from self.place(match["form"], rest, f"{match['form']}://{rest}")
        for match in SCP.finditer(code):
            if "." in match["host"]:
                yield from self.place("ssh", f"{match['host']}/{match['path']}", match[0])


def asked_by_default(text: str) -> tuple[str, ...]:
    """Return the URLs that programs called in a shell text ask without being told."""
    lines = re.sub(r"^[ \t]*#.*$", "", text.replace("\\\n", " "), flags=re.MULTILINE).split("\n")
    found = []
    if any(_PIP.search(line) and not _PIP_ELSEWHERE.search(line) for line in lines):
        found.append(PYPI)
    if any(_HUB.search(line) for line in lines):
        found.append(f"https://{HUGGING_FACE}")
    return tuple(found)


def _is_own(host: str) -> bool:
    """Tell whether a host is the machine itself, or no name at all."""
    if host in {"", "localhost"}:
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
