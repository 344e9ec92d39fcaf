"""What the tests of the schema share."""

from __future__ import annotations

import pytest

from mngen.manifest.schema import validate
from mngen.manifest.source import load_text


@pytest.fixture(scope="session")
def judge():
    """Validate YAML text against a definition; returns the diagnostics."""

    def run(text, definition="manifest"):
        source = load_text(text, "m.yaml")
        assert source.root is not None, source.diagnostics
        return validate(source.root, definition)

    return run
