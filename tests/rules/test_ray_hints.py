"""What the hints about Ray's tokens and an image without Ray say to write is right."""

from __future__ import annotations

import re

import pytest

from mngen.manifest.load import LoadOptions, load

FRAME = "apiVersion: mngen/v1\nname: xy\ndriver: {command: [train]}\ntargets: {job: {kind: manual}}\n"
BARE = """image:
  repository: registry.example.org/rl/x
  variants: {cuda: {tag: "1", base: "ubuntu:24.04"}}
targets: {job: {kind: slurm, runtime: apptainer, ray: {version: 2.50.0}}}
"""


def said(text: str) -> dict[str, str]:
    """Hints by code."""
    return {found.code: found.hint for found in load(text, "m.yaml", LoadOptions()).diagnostics}


@pytest.mark.parametrize("auth", ["", ", auth: auto", ", auth: token"])
def test_a_token_that_an_old_ray_does_not_know_can_be_taken_back(auth: str) -> None:
    asks = f"{FRAME}ray: {{version: 2.51.0{auth}}}\nsecrets: {{RAY_AUTH_TOKEN: {{}}}}\n"
    hint = said(asks)["MN203"]
    assert ("write ray.auth: auto" in hint) == ("token" in auth)
    assert "remove RAY_AUTH_TOKEN from secrets" in hint
    taken = asks.replace(", auth: token", ", auth: auto").replace("secrets: {RAY_AUTH_TOKEN: {}}\n", "")
    assert said(taken) == {}


def test_the_ray_that_an_image_lacks_is_the_manifests() -> None:
    text = FRAME.rpartition("targets")[0] + BARE
    found = re.search(r"\{pip: (.*)\}, or", said(text)["MN822"])
    assert found is not None
    assert said(text.replace("\ntargets:", f"\n  pip: {found[1]}\ntargets:")) == {}
