"""The command that builds an image by hand: one, in the Dockerfile and in the README beside it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from described import files

FIELDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "platform": {"platform": "linux/arm64"},
    "secrets": {"secrets": ["netrc", "token"]},
    "secret of a step": {"steps": [{"run": "true", "secrets": ["token"]}]},
    "podman": {"builder": "podman", "secrets": ["token"]},
    "classic": {"builder": "classic", "files": [{"source": "conf", "target": "/conf"}]},
}


@pytest.mark.parametrize("name", FIELDS)
def test_the_readme_has_the_command_of_the_header(name: str) -> None:
    """Without its secrets a build fails halfway, and without its platform it is an image for other machines."""
    made = {file.path: file.text for file in files(**FIELDS[name])}
    header = made["images/cuda/Dockerfile"].partition("\n\n")[0]
    (found,) = re.findall(r"(?m)^# Build, in .*:\n((?:#   .*\n)+)", header)
    command = re.sub("(?m)^#   ", "", found).replace("THIS_FILE", "out/images/cuda/Dockerfile")
    assert f"```sh\n{command}```\n" in made["README.md"]
    assert ("`FILE` holds" in made["README.md"]) == ("src=FILE" in command)
