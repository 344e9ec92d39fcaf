"""Checks of rendered files: they parse, and the linters have nothing to say about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from mngen.checks import user_text
from mngen.checks.bash_syntax import syntax_errors
from mngen.checks.programs import require, workplace
from mngen.checks.sbatch_text import directive_problems
from mngen.checks.subjects import fault
from mngen.checks.yaml_syntax import yaml_error
from mngen.diagnostics import Diagnostic, sort_key
from mngen.plan import Language, RenderedFile, UserText


class CheckOptions(Struct, frozen=True, kw_only=True):
    """What to run: ``lint=False`` leaves out the linters and bash's parse of whole scripts.

    All but the user's own text in those is mngen's; ``strict`` makes remarks on that text errors.
    """

    lint: bool = True
    strict: bool = False


def check_tree(files: Sequence[RenderedFile], options: CheckOptions) -> list[Diagnostic]:
    """Return every finding about rendered files, in order of place.

    A finding in generated text is an error and a fault of mngen. In the user's own text only a syntax error
    is one; the rest are warnings at the manifest's line. Raises
    :class:`~mngen.errors.EnvironmentFailure` when bash or, with ``options.lint``, ShellCheck is missing;
    without hadolint, Dockerfiles are not linted.
    """
    texts = user_text.unique(text for file in files for text in file.user_texts)
    scripts = [file for file in files if file.language is Language.BASH] if options.lint else []
    with workplace() as folder:
        broken, found = _syntax(scripts, texts, folder)
        found += [*_yaml(files), *_directives(files)]
        if options.lint:
            from mngen.checks.linted import linted  # noqa: PLC0415 - --no-lint needs none of it

            found += linted(files, broken, folder, strict=options.strict)
    return sorted(found, key=sort_key)


def _syntax(
    scripts: Sequence[RenderedFile], texts: Sequence[UserText], folder: Path
) -> tuple[set[UserText], list[Diagnostic]]:
    """Return the user's texts that bash refuses, and what it says of them and of the scripts."""
    if not (texts or scripts):
        return set(), []
    bash = require("bash", "mngen checks with `bash -n` every script that it writes, and your own text in it")
    errors = syntax_errors(bash, [*(text.text for text in texts), *(file.text for file in scripts)], folder)
    broken = {text: errors[number] for number, text in enumerate(texts) if number in errors}
    found = [user_text.syntax_diagnostic(text, finding) for text, finding in broken.items()]
    for number, file in enumerate(scripts, start=len(texts)):
        if number in errors:
            found.append(fault("MN401", file, errors[number], "is not bash"))
    return set(broken), found


def _yaml(files: Sequence[RenderedFile]) -> list[Diagnostic]:
    documents = [file for file in files if file.language is Language.YAML]
    wrong = {text: finding for text in dict.fromkeys(file.text for file in documents) if (finding := yaml_error(text))}
    return [fault("MN402", file, wrong[file.text], "is not YAML") for file in documents if file.text in wrong]


def _directives(files: Sequence[RenderedFile]) -> list[Diagnostic]:
    judge = cache(directive_problems)
    return [
        fault("MN403", file, finding, "has a directive that sbatch refuses or does not read")
        for file in files
        if file.language is Language.BASH
        for finding in judge(file.text, _lines_of_user(file))
    ]


def _lines_of_user(file: RenderedFile) -> frozenset[str]:
    return frozenset(line for text in file.user_texts for line in text.text.split("\n"))
