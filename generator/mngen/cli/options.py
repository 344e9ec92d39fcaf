"""Options that several commands share."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar, cast

import click

from mngen.cli.request import DEFAULT_OUT, Request
from mngen.cli.ui import Ui

F = TypeVar("F", bound=Callable[..., Any])

COLORS = ("auto", "always", "never")


def _quieter(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        context.ensure_object(Ui).verbosity = -1


def _louder(context: click.Context, _parameter: click.Parameter, value: int) -> None:
    if value:
        context.ensure_object(Ui).verbosity = value


def _colored(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.ensure_object(Ui).color = value


def talk_options(function: F) -> F:
    """Add ``-q``, ``-v`` and ``--color``; they work before and after the command's name."""
    quiet = click.option("-q", "--quiet", is_flag=True, expose_value=False, callback=_quieter, help="Problems only.")
    verbose = click.option(
        "-v", "--verbose", count=True, is_eager=True, expose_value=False, callback=_louder, help="Say more."
    )
    color = click.option(
        "--color",
        type=click.Choice(COLORS),
        expose_value=False,
        callback=_colored,
        help="Colours; auto follows the terminal, NO_COLOR and FORCE_COLOR.",
    )
    return quiet(verbose(color(function)))


def default_format() -> str:
    """Return annotations on GitHub's runners, text elsewhere."""
    return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


def format_option(*choices: str) -> Callable[[F], F]:
    """Add ``--format``."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(choices),
        default=default_format if "github" in choices else "text",
        show_default="text; github when GITHUB_ACTIONS=true" if "github" in choices else "text",
        help="How findings are printed.",
    )


def request_options(function: F) -> F:
    """Add ``--target``, ``--set`` and ``--overlay``; the function gets a :class:`Request` as ``request``.

    The request also takes in ``--strict`` and ``--no-lint`` where a command has them.
    """
    return _TARGET_OPTION(layer_options(function))


def layer_options(function: F) -> F:
    """Add ``--set`` and ``--overlay`` alone; the function gets a :class:`Request` as ``request``."""

    @functools.wraps(function)
    def with_request(
        *args: Any,
        targets: tuple[str, ...] = (),
        sets: tuple[str, ...] = (),
        overlays: tuple[str, ...] = (),
        no_lint: bool = False,
        strict: bool = False,
        **others: Any,
    ) -> Any:
        request = Request(targets=targets, sets=sets, overlays=overlays, lint=not no_lint, strict=strict)
        return function(*args, request=request, **others)

    return cast("F", _SET_OPTION(_OVERLAY_OPTION(with_request)))


def judging_options(function: F) -> F:
    """Add ``--strict`` and ``--no-lint``."""
    strict = click.option("--strict", is_flag=True, help="Warnings fail the command too.")
    lint = click.option(
        "--no-lint", is_flag=True, help="Leave out ShellCheck, hadolint and the parse of generated scripts."
    )
    return lint(strict(function))


def manifests_argument(function: F) -> F:
    """Add the manifests to read; ``-`` is standard input."""
    return click.argument("manifests", metavar="MANIFEST...", nargs=-1, required=True, callback=not_empty)(function)


def output_option(function: F) -> F:
    """Add ``-o``; ``-`` is standard output."""
    return _folder("Folder to write to; - is standard output (a tar stream when there are several files).")(function)


def rendered_option(function: F) -> F:
    """Add ``-o`` as the folder that an earlier render wrote."""
    return _folder("Folder of the rendered files.")(function)


def _folder(words: str) -> Callable[[F], F]:
    return click.option(
        "-o",
        "--output",
        "out",
        metavar="DIR",
        default=DEFAULT_OUT,
        show_default=True,
        shell_complete=lambda _context, _parameter, _incomplete: [click.shell_completion.CompletionItem("", "dir")],
        callback=not_empty,
        help=words,
    )


def not_empty(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Refuse what an unset variable leaves of ``"$FILE"``: it would name the current folder, or nothing."""
    given = context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE
    if given and (value == "" or (isinstance(value, tuple) and "" in value)):
        raise click.BadParameter("it is empty: is the variable set that it comes from? The current folder is .")
    return value


def _complete_targets(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    # Imported by name: it reads YAML, which nothing but completion needs here.
    # Before a value is typed for the option, click has not sorted the words into parameters yet.
    typed = [*(context.params.get("manifests") or ()), *context.args]
    named = context.params.get("manifest") or next(
        (one.default for one in context.command.params if one.name == "manifest"), None
    )
    files = typed or ([named] if isinstance(named, str) else [])
    names: list[str] = import_module("mngen.cli.completing").target_names(files, incomplete)
    return names


_TARGET_OPTION = click.option(
    "--target",
    "targets",
    metavar="NAME",
    multiple=True,
    shell_complete=_complete_targets,
    help="Only this target; may be repeated.",
)
_SET_OPTION = click.option(
    "--set", "sets", metavar="PATH=VALUE", multiple=True, help="Set one field (targets.amd.resources.nodes=4)."
)
_OVERLAY_OPTION = click.option(
    "--overlay",
    "overlays",
    metavar="FILE",
    multiple=True,
    callback=not_empty,
    help="Lay a YAML file over the manifest.",
)
