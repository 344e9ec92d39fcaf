"""How long the head waits for the other nodes: longer where each of them may pull the image for itself."""

from __future__ import annotations

import re

import pytest

from mngen import render, targets
from mngen.manifest.load import load

REF = "image: {ref: 'rayproject/ray:2.52.1'}"
DESCRIBED = "image: {repository: r.example.org/i, variants: {cuda: {tag: v1, base: 'rayproject/ray:2.52.1'}}}"
READY = "services: {s: {command: [x], port: auto, ready: {tcp: true, timeout: 60}}}"


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ("kind: slurm", 300),
        ("kind: manual", 1800),
        (f"kind: skypilot, {REF}", 300),
        ("kind: slurm, runtime: prefix, container: {prefix: [shifter]}", 300),
        ("kind: slurm, runtime: apptainer, image: {sif: /i.sif}", 300),
        ("kind: slurm, runtime: pyxis, image: {sqsh: /i.sqsh}", 300),
        (f"kind: slurm, runtime: docker, {REF}, container: {{pull: never}}", 300),
        (f"kind: slurm, runtime: docker, {REF}", 900),
        (f"kind: manual, runtime: podman, {REF}, container: {{pull: always}}", 1800),
        (f"kind: slurm, runtime: apptainer, {REF}", 900),
        (f"kind: slurm, runtime: pyxis, {REF}", 900),
        (f"kind: slurm, runtime: podman, {DESCRIBED}", 900),
        (f"kind: dstack, {REF}", 900),
        (f"kind: dstack, {REF}, {READY}", 960),
        (f"kind: dstack, {REF}, ray: {{ready_timeout: 300}}", 300),
        ("kind: slurm, ray: {ready_timeout: 20}", 20),
        ("kind: manual, ray: {ready_timeout: 20}", 20),
    ],
)
def test_time_for_all_nodes(fields, seconds):
    text = f"apiVersion: mngen/v1\nname: example\ndriver: {{command: [x]}}\ntargets: {{t: {{{fields}}}}}\n"
    loaded = load(text, "manifest.yaml")
    assert loaded.manifest is not None, loaded.diagnostics
    files = render.render(targets.plan(loaded.manifest, partial=True), digest="").files
    written = {found for file in files for found in re.findall(r"\bREADY_TIMEOUT=([0-9]+)", file.text)}
    assert written == {str(seconds)}
