"""``ray.version`` against the Ray that the described image installs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.image_use import built_image
from mngen.manifest.model import Target
from mngen.manifest.versions import parse_version

_PIN = re.compile(r"ray(?:\[[^\]]*\])?\s*===?\s*(?P<version>[0-9][^\s;,]*)", re.IGNORECASE)


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse two Ray versions in one manifest: each node compares them before the cluster starts."""
    image = built_image(target)
    if image is None or target.ray.version is None:
        return
    for index, requirement in enumerate(image.pip.packages):
        match = _PIN.match(requirement)
        if match is not None and parse_version(match["version"]) != parse_version(target.ray.version):
            yield finding(
                target,
                "MN249",
                "ray.version",
                f"ray.version is {target.ray.version}, but image.pip installs Ray {match['version']}",
                hint=f"write ray.version: {match['version']}, or leave it out: the node's own is then read",
                other=(f"image.pip.packages.{index}",),
            )
