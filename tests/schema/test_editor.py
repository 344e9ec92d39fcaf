"""The first line of each example tells an editor where the schema is."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from mngen.manifest.definitions import FILE_NAME

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "golden").glob("*/manifest.yaml"))
MODELINE = "# yaml-language-server: $schema="


@pytest.mark.parametrize("manifest", EXAMPLES, ids=[path.parent.name for path in EXAMPLES])
def test_modeline(manifest):
    first = manifest.read_text(encoding="utf-8").split("\n", 1)[0]
    assert first.startswith(MODELINE)
    assert (manifest.parent / first.removeprefix(MODELINE)).resolve() == ROOT / "schemas" / FILE_NAME


def test_the_package_carries_the_same_file():
    published = (ROOT / "schemas" / FILE_NAME).read_text(encoding="utf-8")
    assert files("mngen.schemas").joinpath(FILE_NAME).read_text(encoding="utf-8") == published
    assert published.isascii()
    assert published.endswith("}\n")
