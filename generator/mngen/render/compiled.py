"""Compiled templates, which Python keeps as it keeps compiled modules.

Compiling the templates takes longer than all the rest of a rendering. Their bytecode goes into ``__pycache__`` beside
them, under the rules that modules have: written once, read while it fits, not written where nobody may write or where
``PYTHONDONTWRITEBYTECODE`` says so (https://docs.python.org/3/reference/import.html#cached-bytecode-invalidation).
"""

from __future__ import annotations

from functools import cache
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any
from zlib import crc32

from jinja2 import Environment

from mngen.data_files import folder
from mngen.plan import Language

TEMPLATES = folder("mngen.templates")
"""The folder of all templates; finding it takes longer than reading one."""

_MAKERS = (("mngen.render", "environment.py"), ("jinja2", "compiler.py"), ("jinja2", "runtime.py"))
"""What the code of a template depends on beside its text: our settings, Jinja's compiler, and what its code calls."""


class TemplateCode(SourceFileLoader):
    """Finds or makes the code of one template, whose text is at hand already."""

    def __init__(self, environment: Environment, language: Language, name: str, text: str) -> None:
        place = TEMPLATES.joinpath(name.removesuffix(".j2"))
        # One template may serve several languages, whose environments compile it differently.
        super().__init__(name, f"{place}.{language.value}.j2")
        self._environment = environment
        self._text = text

    def get_data(self, path: str) -> bytes:
        """Return the template's text, or the bytecode that was kept."""
        return self._text.encode() if path == self.path else super().get_data(path)

    def path_stats(self, path: str) -> dict[str, Any]:
        """Return what must be the same for the bytecode to fit; a checksum of its makers stands in for the time."""
        text = self.get_data(path)
        return {"mtime": crc32(text, _makers()), "size": len(text)}

    # The method of the base is static only in its type stub; from Python 3.15 on it is given the name as well.
    def source_to_code(self, data: Any, path: Any, *more: Any, **named: Any) -> CodeType:  # type: ignore[override]
        """Compile the template to Python, and that to bytecode."""
        source = self._environment.compile(bytes(data).decode(), self.name, self.name, raw=True)
        return super().source_to_code(source, path, *more, **named)


@cache
def _makers() -> int:
    mark = 0
    for package, name in _MAKERS:
        mark = crc32(folder(package).joinpath(name).read_bytes(), mark)
    return mark
