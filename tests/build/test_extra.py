"""How to get the libraries of the extra ``build``, by where mngen came from."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from mngen.build.extra import how_to_install


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Say how mngen was installed: by its ``direct_url.json`` (``None``: from an index), and whether as uv's tool."""

    def say(origin: dict[str, Any] | None, *, uv: bool = False) -> None:
        class Here:
            def read_text(self, name: str) -> str | None:
                assert name == "direct_url.json"
                return None if origin is None else json.dumps(origin)

        monkeypatch.setattr(metadata, "distribution", lambda name: Here())
        monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
        (tmp_path / "prefix").mkdir()
        if uv:
            (tmp_path / "prefix/uv-receipt.toml").write_text("[tool]\n")

    return say


def test_from_an_index(installed) -> None:
    installed(None)
    assert how_to_install(["docker"]) == "`pip install 'mngen[build]'`"


def test_from_an_index_by_uv(installed) -> None:
    installed(None, uv=True)
    assert how_to_install(["docker"]) == "`uv tool install 'mngen[build]'`"


@pytest.mark.parametrize("editable", [True, False])
@pytest.mark.parametrize("uv", [True, False])
def test_from_a_checkout(installed, tmp_path: Path, editable, uv) -> None:
    checkout = tmp_path / "my checkout"
    checkout.mkdir()
    installed({"url": checkout.as_uri(), "dir_info": {"editable": True} if editable else {}}, uv=uv)
    program = "uv tool install" if uv else "pip install"
    assert how_to_install(["docker"]) == f"`{program}{' -e' if editable else ''} '{checkout}[build]'`"


def test_from_a_checkout_that_is_gone(installed, tmp_path: Path) -> None:
    installed({"url": (tmp_path / "gone").as_uri(), "dir_info": {}})
    assert how_to_install(["docker", "rich"]) == "`pip install docker rich`"


def test_from_a_checkout_that_is_gone_by_uv(installed, tmp_path: Path) -> None:
    installed({"url": (tmp_path / "gone").as_uri(), "dir_info": {}}, uv=True)
    python = tmp_path / "prefix/bin/python"
    assert how_to_install(["docker", "rich"]) == f"`uv pip install --python {python} docker rich`"


def test_from_a_repository(installed) -> None:
    url = "https://git.example.org/mngen.git"
    installed({"url": url, "vcs_info": {"vcs": "git", "commit_id": "0" * 40}})
    assert how_to_install(["docker"]) == f"`pip install 'mngen[build] @ git+{url}@{'0' * 40}'`"


def test_not_installed_at_all(monkeypatch) -> None:
    def none(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", none)
    assert how_to_install(["docker"]).endswith(" docker`")
