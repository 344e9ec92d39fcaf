from __future__ import annotations

import pytest

from mngen.manifest.load import LoadOptions, load

HEAD = "apiVersion: mngen/v1\nname: example\n"


@pytest.fixture
def loaded():
    """Load a manifest made of a few fields (or a whole one that begins with apiVersion)."""

    def run(fields: str, *sets: str, overlays=(), targets=(), files=None):
        text = fields if fields.startswith("apiVersion") else HEAD + fields
        if "driver:" not in text:
            text += "driver: {command: [python3, train.py]}\n"
        if "targets:" not in text:
            text += "targets: {t: {kind: slurm}}\n"

        def read(path):
            if path not in (files or {}):
                raise FileNotFoundError(2, "No such file or directory", path)
            return files[path]

        return load(text, "m.yaml", LoadOptions(sets=sets, overlays=overlays, targets=targets, read=read))

    return run


@pytest.fixture
def target(loaded):
    """Load a manifest and return its only (or first) target; errors fail the test."""

    def run(fields: str, *sets: str, **options):
        found = loaded(fields, *sets, **options)
        assert found.manifest is not None, [(d.code, d.message, d.span) for d in found.diagnostics]
        return found.manifest.targets[0]

    return run


@pytest.fixture
def errors(loaded):
    """Load a wrong manifest and return its errors as (code, line, message, hint)."""

    def run(fields: str, *sets: str, **options):
        found = loaded(fields, *sets, **options)
        assert found.manifest is None
        return [
            (d.code, d.span.line if d.span else None, d.message, d.hint or "")
            for d in found.diagnostics
            if d.severity.value == "error"
        ]

    return run
