"""Mirrors: which may be a folder that nodes share, as docs/offline.md says, and what a hint offers instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mngen import targets
from mngen.manifest.load import LoadOptions, load

HEAD = "apiVersion: mngen/v1\nname: t\ndriver: {command: [train]}\ntargets: {a: {kind: slurm}}\n"
URLS = {
    "apt": "apt: {archive.ubuntu.com: URL}",
    "pip": "pip: {pypi.org: URL}",
    "git": "git: {github.com: URL}",
    "files": "files: {download.example.org: URL}",
    "huggingface": "huggingface: URL",
}
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "offline.md").read_text()
SHARED = re.search(r"shared file system works too for ([^:]*): `file://", PAGE)
assert SHARED is not None
FOLDERS = set(re.findall("`([a-z]+)`", SHARED[1]))


def said(kind: str, url: str, more: str = "") -> list[str]:
    text = f"{HEAD}{more}mirrors: {{{URLS[kind].replace('URL', repr(url))}}}\n"
    loaded = load(text, "mngen.yaml", LoadOptions(kind=targets.definition))
    return [found.hint or "" for found in loaded.diagnostics if found.code == "MN104"]


@pytest.mark.parametrize("kind", URLS)
def test_a_shared_folder_is_a_mirror_only_where_something_reads_it(kind: str) -> None:
    assert bool(said(kind, "file:///shared/mirror")) is (kind not in FOLDERS)
    assert bool(said(kind, "${{ vars.m }}", "vars: {m: 'file:///shared/mirror'}\n")) is (kind not in FOLDERS)


@pytest.mark.parametrize("kind", URLS)
def test_what_the_hint_offers_is_taken(kind: str) -> None:
    (hint,) = said(kind, "m.example.org")
    offered = [url for url in re.findall("`([^`]+)`", hint) if "://" in url]
    assert offered
    assert [said(kind, url) for url in offered] == [[]] * len(offered)
    assert "pypi" not in hint or kind == "pip"
