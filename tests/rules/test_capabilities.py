"""The capability table: complete, dated, sourced; the page made from it is current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mngen.diagnostics import Severity
from mngen.manifest import capabilities
from mngen.manifest.capability_page import page
from mngen.manifest.judging.slurm_options import KNOWN

ROOT = Path(__file__).parents[2]
ROWS = capabilities.rows()


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_row_says_what_where_and_when(row):
    assert row.id.startswith(f"{row.subject}-")
    assert row.status in {"run", "source", "announced"}
    assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", row.seen)
    assert row.source.startswith("https://")
    assert row.holds.endswith(".")


def test_ids_are_unique():
    text = (ROOT / "generator/mngen/manifest/capabilities.json").read_text()
    ids = re.findall(r'\{"id": "([^"]+)"', text)
    assert len(ids) == len(set(ids)) == len(ROWS)


def test_one_row_a_line():
    text = (ROOT / "generator/mngen/manifest/capabilities.json").read_text()
    assert all(line.count('"id":') <= 1 for line in text.splitlines())


def test_every_gpu_has_a_row_for_its_generation():
    for gpu in capabilities.gpus().values():
        assert capabilities.toolkit(gpu.vendor, gpu.arch) is not None, gpu


@pytest.mark.parametrize(
    ("name", "vendor", "arch"),
    [
        ("H100", "nvidia", "9.0"),
        ("gb200", "nvidia", "10.0"),
        ("L40S", "nvidia", "8.9"),
        ("V100", "nvidia", "7.0"),
        ("RTX 4090", "nvidia", "8.9"),
        ("rtx_a6000", "nvidia", "8.6"),
        ("A100-80GB", "nvidia", "8.0"),
        ("H100-MEGA-80GB", "nvidia", "9.0"),
        ("h100_sxm", "nvidia", "9.0"),
        ("L40S-48GB", "nvidia", "8.9"),
        ("RTX6000-Ada", "nvidia", "8.9"),
        ("a100_3g.20gb", "nvidia", "8.0"),
        ("P100", "nvidia", "6.0"),
        ("MI300A", "amd", "gfx942"),
        ("mi325x", "amd", "gfx942"),
        ("MI250X", "amd", "gfx90a"),
        ("MI355X", "amd", "gfx950"),
    ],
)
def test_gpus(name, vendor, arch):
    found = capabilities.gpu(name)
    assert (found.vendor, found.arch) == (vendor, arch)


@pytest.mark.parametrize("name", ["", "h100x", "gpu", "nvidia"])
def test_unknown_gpus(name):
    assert capabilities.gpu(name) is None


def test_what_is_unknown_holds_neither_way():
    assert capabilities.holds("ray-token-auth", None) is None
    assert capabilities.holds("ray-token-auth", "nightly") is None
    assert capabilities.holds("ray-token-auth", "2.52.0") is True
    assert capabilities.holds("ray-token-auth", "2.51.9") is False


def test_announced_rows_only_warn():
    severities = {row.status: row.severity for row in ROWS.values()}
    assert severities == {"run": Severity.ERROR, "source": Severity.ERROR, "announced": Severity.WARNING}


def test_options_of_slurm_are_options():
    for option in capabilities.by_option("slurm"):
        assert f"--{option.partition('=')[0]}" in KNOWN


def test_the_page_is_current():
    assert (ROOT / "docs/capabilities.md").read_text() == page()
