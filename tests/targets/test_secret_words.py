"""Which secrets the README of the output calls optional, for every kind."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import documents

KINDS = {"slurm": {}, "skypilot": {"resources": documents.H100}, "dstack": {"resources": documents.H100}, "manual": {}}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("optional", "words"), [((), ""), (("B",), " (B is optional)"), (("B", "C"), " (B, C are optional)")]
)
def test_the_readme_says_which_secrets_are_optional(kind: str, optional: tuple[str, ...], words: str) -> None:
    secrets = {"A": {}, "F": {"file": "/f", "required": False}, **{name: {"required": False} for name in optional}}
    readme = documents.files(kind, {**KINDS[kind], "secrets": secrets})["README.md"]
    (text,) = re.findall(r"(.*):\n\n```sh\nexport ", readme)
    assert text.endswith(words)
    assert ("optional" in text) is bool(words)
