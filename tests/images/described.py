"""Manifests with a described image, and what is found in them."""

from __future__ import annotations

import json

from mngen import render, targets
from mngen.diagnostics import Severity
from mngen.manifest.load import LoadOptions, load

FRAME = """
apiVersion: mngen/v1
name: x
image:
  repository: {repository}
  variants:
    {variant}: {{tag: "{tag}", base: "{base}", {own}}}
  {common}
driver: {{command: [x]}}
targets: {{a: {{kind: manual, variant: {variant}}}}}
"""
BASES = {"cuda": "nvidia/cuda:12.8.1-devel-ubuntu24.04", "rocm": "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10"}


def codes(common="", own="", **parts):
    variant = parts.get("variant", "cuda")
    known = {
        "repository": "registry.example.org/rl/verl",
        "variant": variant,
        "tag": "1",
        "base": BASES[variant],
        **parts,
    }
    text = FRAME.format(common=common, own=own, **known)
    found = load(text, "m.yaml", LoadOptions(read=lambda _: "")).diagnostics
    wrong = [d for d in found if d.severity is not Severity.NOTE]
    assert all(d.span is not None and d.hint for d in wrong)
    return [d.code for d in wrong]


def files(**fields):
    """Render the files of a manifest with these fields below ``image``."""
    image = {"repository": "r.example.org/a", "variants": {"cuda": {"tag": "1", "base": BASES["cuda"]}}, **fields}
    whole = {
        "apiVersion": "mngen/v1",
        "name": "x",
        "image": image,
        "driver": {"command": ["x"]},
        "targets": {"a": {"kind": "manual"}},
    }
    loaded = load(json.dumps(whole), "m.yaml", LoadOptions(read=lambda _: ""))
    assert loaded.manifest is not None, loaded.diagnostics
    return render.render(targets.plan(loaded.manifest), digest=loaded.manifest.digest).files
