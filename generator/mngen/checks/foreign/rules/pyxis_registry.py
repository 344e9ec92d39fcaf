"""pyxis and enroot join a registry and an image by ``#``; before enroot 4.0, ``/`` made it a folder of Docker Hub."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.pyxis_options import pyxis_values
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity

# https://github.com/NVIDIA/enroot/commit/f29a45cfc4af3a580bab4fc1873260c162953384, in 4.0.0
_REGISTRY = re.compile(r"^(?:docker://)?([\w-]+(?:\.[\w-]+)+(?::\d+)?|localhost(?::\d+)?)/([^#]+)$")
_FILES = (".sqsh", ".squashfs", ".img")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for image, line in _named(script):
            match = _REGISTRY.match(image)
            if match is not None and not image.endswith(_FILES):
                yield Found(
                    line,
                    f"before enroot 4.0 `{image}` is looked up on Docker Hub: a registry ended with `#`",
                    f"write {match.group(1)}#{match.group(2)}, which every release takes",
                )


def _named(script: Script) -> Iterator[tuple[str, int]]:
    yield from pyxis_values(script, "--container-image")
    for call in script.called("enroot"):
        if call.texts[:1] == ("import",):
            yield script.resolve(call.texts[-1]), call.line


RULE = Rule("MN709", Severity.NOTE, _check)
