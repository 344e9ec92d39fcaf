"""Templates are compiled once, and anew when anything changes that their code is made from."""

from __future__ import annotations

import sys

import pytest
from jinja2 import Environment

from mngen.plan import Language
from mngen.render import compiled
from mngen.render.compiled import TemplateCode


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    return lambda: sorted(path.name for path in tmp_path.rglob("file.*.pyc"))


def shown(text: str, language: Language = Language.TEXT, **options) -> tuple[str, int]:
    """What a template makes of a value, and how often it was compiled for that."""
    environment, compilations = Environment(**options), []
    compile_one = environment.compile
    environment.compile = lambda *given, **named: compilations.append(given) or compile_one(*given, **named)
    code = TemplateCode(environment, language, "some/file.sh.j2", text).get_code("some/file.sh.j2")
    return environment.template_class.from_code(environment, code, {}).render(x="é"), len(compilations)


def test_each_language_keeps_its_own(kept) -> None:
    assert shown("a {{ x }}") == ("a é", 1)
    assert shown("a {{ x }}") == ("a é", 0)
    assert shown("a {{ x }}", Language.BASH) == ("a é", 1)
    assert [name.split(".cpython")[0] for name in kept()] == ["file.sh.bash", "file.sh.text"]


def test_another_text_is_compiled(kept) -> None:
    assert [shown(text) for text in ("a {{ x }}", "b {{ x }}", "b {{ x }}")] == [("a é", 1), ("b é", 1), ("b é", 0)]


def test_another_maker_compiles_anew(kept, monkeypatch) -> None:
    assert shown("{{ 1 }}") == ("1", 1)
    monkeypatch.setattr(compiled, "_MAKERS", compiled._MAKERS[:-1])
    compiled._makers.cache_clear()
    try:
        assert shown("{{ 1 }}", finalize=lambda _: "2") == ("2", 1)
    finally:
        compiled._makers.cache_clear()


def test_where_nothing_can_be_kept(kept, tmp_path, monkeypatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "file"))
    assert [shown("a {{ x }}") for _ in range(2)] == [("a é", 1)] * 2
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [shown("a {{ x }}") for _ in range(2)] == [("a é", 1)] * 2
    assert kept() == []
