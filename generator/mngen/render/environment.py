"""One Jinja environment for each output language; templates are read once.

In bash every hole is quoted unless its value is ``Raw``: Jinja calls ``finalize`` for each. Templates have no macros,
since what one puts out is no ``Raw`` and would be quoted again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from functools import cache
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound, Undefined
from jinja2.runtime import Context

from mngen.launch.words import quote
from mngen.plan import Language, Raw
from mngen.render.compiled import TEMPLATES, TemplateCode


class _PackageTemplates(BaseLoader):
    """Reads templates from the installed package; works from a wheel and from an editable install."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    ) -> Template:
        """Return a template; a file without holes is not compiled, it yields its text."""
        text = _text(name)
        if name.endswith(".j2"):
            code = TemplateCode(environment, self._language, name, text).get_code(name)
            assert code is not None  # a loader returns None only for what is built in
            return environment.template_class.from_code(environment, code, globals or {})

        def root(_context: object) -> Iterator[str]:
            yield text

        module: dict[str, Any] = {"name": name, "__file__": None, "blocks": {}, "root": root, "debug_info": ""}
        return _Verbatim.from_module_dict(environment, module, globals or {})


class _Verbatim(Template):
    """A template that uses no variables, and so is not handed a copy of all of them at each ``include``."""

    def new_context(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> Context:
        """Return the empty context that all of them share."""
        del vars, shared, locals
        return _no_context(self.environment)


@cache
def _no_context(environment: Environment) -> Context:
    return environment.context_class(environment, {}, None, {})


@cache
def _text(name: str) -> str:
    try:
        return TEMPLATES.joinpath(name).read_text(encoding="utf-8")
    except OSError as error:
        raise TemplateNotFound(name) from error


def _shell(value: Any) -> str:
    """Quote a hole for bash; refuse what has no single meaning as a word."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, Undefined):
        return str(value)  # raises, StrictUndefined
    if isinstance(value, bool) or value is None:
        msg = f"a template prints {value!r}, which is no shell word"
        raise TypeError(msg)
    return quote(str(value))


def _yaml(value: Any) -> str:
    """Write a hole as a JSON scalar or list, which is valid YAML."""
    return str(value) if isinstance(value, (Raw, Undefined)) else json.dumps(value, ensure_ascii=False)


_FINALIZE = {Language.BASH: _shell, Language.YAML: _yaml}
"""How a hole is written; where it is not named, as the text that it is."""


def _words(values: Iterable[Raw]) -> Raw:
    """Join words that are quoted already."""
    return Raw(" ".join(values))


@cache
def _shell_file(module: str) -> str:
    """Return the file of a shell module: plain bash, or a template where kinds differ in it."""
    plain = f"shell/{module}.sh"
    return plain if TEMPLATES.joinpath(plain).is_file() else f"{plain}.j2"


@cache
def environment(language: Language) -> Environment:
    """The environment of one output language."""
    made = Environment(
        loader=_PackageTemplates(language),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - no output is HTML; `finalize` quotes for its language
        finalize=_FINALIZE.get(language),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,  # without a limit: the templates are few
        # The default "{#" eats bash's ${#array[@]}.
        comment_start_string="{##",
        comment_end_string="##}",
    )
    made.globals.clear()  # Jinja's own functions, which each context would be handed
    made.filters["words"] = _words
    made.filters["shell_file"] = _shell_file
    return made
