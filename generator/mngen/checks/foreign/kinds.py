"""Tells by name and text what kind of file a foreign file is."""

from __future__ import annotations

import re

from mngen.checks.foreign.document import Form
from mngen.checks.foreign.emptiness import has_nothing
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.shebangs import interpreter, is_shell

_IMAGE_NAME = re.compile(r"(^|[._-])(dockerfile|containerfile)($|[._-])", re.IGNORECASE)
_PACKAGES_NAME = re.compile(r"^(requirements|constraints)[\w.-]*\.(txt|in)$|^pyproject\.toml$|^setup\.(py|cfg)$")
_PAGE_SUFFIXES = (".md", ".rst")
_SHELL_SUFFIXES = (".sh", ".bash", ".sbatch", ".slurm", ".job")
_YAML_SUFFIXES = (".yaml", ".yml")
_DEFINITION_SUFFIXES = (".def", ".singularity")
_SHELL_MIDDLE = re.compile(r"\.(?:sbatch|slurm|sh|bash|job|sub|slm|submit)(?:[._-]\w+)?$")
"""Names such as ``run.sbatch_shifter`` and ``job.slurm.example``, whose text tells what they are."""
_NEVER = (".dockerignore", ".json", ".py", ".ipynb", ".toml", ".lock", ".j2", ".tmpl", ".ini", ".cfg", ".log", ".c")
"""Suffixes of files that hold none of the kinds, whatever their name or text looks like."""

_DEF_HEADER = re.compile(r"^[ \t]*bootstrap[ \t]*:", re.MULTILINE | re.IGNORECASE)
_DEF_SECTION = re.compile(r"^%(post|environment|runscript|files|labels|test)\b", re.MULTILINE)
_FROM = re.compile(r"^\s*FROM\s+(?:--\S+\s+)*\S+(?:\s+AS\s+\S+)?\s*$", re.MULTILINE | re.IGNORECASE)
_DIRECTIVE = re.compile(r"^#SBATCH\b", re.MULTILINE)
_YAML_KEY = re.compile(r"^[A-Za-z_][\w-]*\s*:(\s|$)")


def kind_of(text: str, file: str) -> Form | None:
    """Return the kind, or ``None`` for a YAML file, whose data tell which kind it is."""
    name = file.rsplit("/", 1)[-1]
    by_name = _by_name(name, text)
    if by_name is not Form.OTHER:
        return by_name
    if name.endswith(".py") and text.startswith("#!") and _DIRECTIVE.search(text):
        # sbatch takes a script in any language; a Python file without directives of its own is no script for it.
        return Form.SBATCH if _script(text) is Form.SBATCH else Form.OTHER
    return Form.OTHER if name.endswith(_NEVER) else _by_text(text)


def may_be_known(name: str) -> bool:
    """Tell whether a file of this name, found in a folder, is worth reading: a known suffix, or none.

    A Python file is, for the #SBATCH lines that it may have.
    """
    suffixes = (".py", *_SHELL_SUFFIXES, *_YAML_SUFFIXES, *_DEFINITION_SUFFIXES, *_PAGE_SUFFIXES)
    known = name.endswith(suffixes) or _IMAGE_NAME.search(name) or _PACKAGES_NAME.match(name)
    maybe = _SHELL_MIDDLE.search(name) and not name.endswith(_NEVER)
    return not name.startswith(".") and (bool(known or maybe) or "." not in name)


def _by_name(name: str, text: str) -> Form | None:
    if _IMAGE_NAME.search(name) and not name.endswith((*_NEVER, *_SHELL_SUFFIXES, *_YAML_SUFFIXES, *_PAGE_SUFFIXES)):
        return Form.DOCKERFILE
    if _PACKAGES_NAME.match(name):
        return Form.PACKAGES
    if name.endswith(_PAGE_SUFFIXES):
        return Form.PAGE
    if name.endswith(_DEFINITION_SUFFIXES) and _is_definition(text):
        return Form.APPTAINER
    if name.endswith(_SHELL_SUFFIXES):
        empty_job = name.endswith(".sbatch") and has_nothing(text) and _for_shell(text)
        return Form.SBATCH if empty_job else _script(text)
    return None if name.endswith(_YAML_SUFFIXES) else Form.OTHER


def _is_definition(text: str) -> bool:
    """Tell whether a file named like one is a definition of Apptainer; there are others of that name."""
    return bool(_DEF_HEADER.search(text) or _DEF_SECTION.search(text)) or has_nothing(text)


def _by_text(text: str) -> Form | None:
    """Return the kind of a file whose name says nothing, such as standard input."""
    if text.startswith("#!") or _DIRECTIVE.search(text):
        form = _script(text)
        return form if form is Form.SBATCH or _for_shell(text) else Form.OTHER
    first = next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")), "")
    if re.match(r"\s*(FROM|ARG)\s+\S", first, re.IGNORECASE) and _FROM.search(text):
        return Form.DOCKERFILE
    if _DEF_HEADER.match(first):
        return Form.APPTAINER
    return None if _YAML_KEY.match(first) else Form.OTHER


def _script(text: str) -> Form:
    directives = Script(((text, 1),), sbatch=True).directives if _DIRECTIVE.search(text) else ()
    # Of another language the strings are not known, so that only what sbatch reads counts.
    own = any(directive.read for directive in directives) or (bool(directives) and _for_shell(text))
    return Form.SBATCH if own else Form.BASH


def _for_shell(text: str) -> bool:
    return is_shell(interpreter(text) or "bash")
