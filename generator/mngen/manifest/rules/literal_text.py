"""Values with ``$NAME``, ``~`` or a blank that stay as they are, because no shell reads them."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging import shell_syntax
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.placed_texts import commands, inline_scripts, paths, ray_arguments
from mngen.manifest.model import Target
from mngen.manifest.text import Text, literal
from mngen.manifest.token_shapes import named_like_secret


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse shell syntax in paths; warn about it in arguments and at the start of variables."""
    for field, text in paths(target):
        # SkyPilot itself expands ~ and its own ${NAME} in what it mounts.
        bare = target.kind == "skypilot" and field.startswith("mounts.")
        found = None if bare else shell_syntax.in_path(text)
        if found is not None:
            yield finding(
                target,
                "MN297",
                field,
                f"{field} holds {found}, which no shell replaces there",
                hint=f"write {_filled_in(found)}",
            )
    yield from _unread_arguments(target)
    yield from _unread_variables(target)


def _unread_arguments(target: Target) -> Iterator[Diagnostic]:
    for field, text in _arguments(target):
        found = shell_syntax.in_argument(text) or shell_syntax.almost(text)
        if found is not None:
            yield _stays(target, field, found, _not_an_argument(target, shell_syntax.variable(found)))
        elif (output := shell_syntax.output_in(text)) is not None:
            yield _stays(target, field, output, _WRITTEN if field.startswith("ray.") else _BY_A_SHELL)
        pair = shell_syntax.option_and_value(text)
        if pair is not None:
            yield _one_word(target, field, *pair)
        settings = shell_syntax.overrides(text)
        if settings:
            message = f"{field} is one word for the program, with the blanks in it: no shell splits it"
            yield warning(target, "MN297", field, message, hint=f"write {len(settings)} items, {settings[0]} the first")


def _unread_variables(target: Target) -> Iterator[Diagnostic]:
    for field, text in _of_processes(target):
        found = _at_start(text) or shell_syntax.output_of(text)
        if found is not None and not (field.startswith("driver.") and shell_syntax.filled_in_by_ray(found)):
            other = _WRITTEN if found.startswith(("$(", "`")) else _IN_ENV if field.startswith("driver.") else None
            yield _stays(target, field, found, other)
    itself = {found for name, text in target.env if (found := _at_start(text)) and shell_syntax.variable(found) == name}
    for name, text in target.env:
        found = _at_start(text)
        if found is not None and found not in itself:  # MN264 speaks of that one, and others may only quote it
            yield _stays(target, f"env.{name}", found)
        elif (output := shell_syntax.output_of(text)) is not None:
            own = "write ${{ head_ip }}, the head's on every node"  # each node would name itself
            mend = own if name in _HEADS else f"write it in setup: export {name}={output}"
            yield _stays(target, f"env.{name}", output, mend)


_WRITTEN = "right if that is meant; else write the value"
_BY_A_SHELL = "right if that is meant; else let a shell run it, as bash -c '…' does"
_IN_ENV = "right if that is meant; else set it in `env`, which every process of the job has"
_HEADS = frozenset({"MASTER_ADDR", "MASTER_IP", "HEAD_NODE_IP", "RAY_HEAD_IP"})


def _of_processes(target: Target) -> Iterator[tuple[str, Text]]:
    """Yield the variables of services, and those that Ray sets for a job's processes."""
    for service in target.services:
        yield from ((f"services.{service.name}.env.{name}", text) for name, text in service.env)
    if target.driver.runtime_env is not None:
        for name, value in target.driver.runtime_env.env_vars:
            yield f"driver.runtime_env.env_vars.{name}", literal(value)


def _at_start(text: Text) -> str | None:
    return shell_syntax.at_start(text) or shell_syntax.almost(text)


def _filled_in(found: str) -> str:
    placeholder = shell_syntax.instead(found)
    return f"{placeholder}, which is filled in on each node" if "env." in placeholder else placeholder


def _not_an_argument(target: Target, name: str) -> str | None:
    """Return a hint for a variable that is secret, or named so: every user of a node can read arguments (MN268)."""
    reads = f"let the program read the variable {name} itself (wandb and huggingface_hub do)"
    if name in {secret.name for secret in target.secrets}:
        return f"remove it: {reads}"
    if named_like_secret(name):
        return f"remove it, write secrets: {{{name}: {{}}}} and {reads}"
    return None


def _stays(target: Target, field: str, found: str, instead: str | None = None) -> Diagnostic:
    reader = "no shell reads this value" if found.startswith(("$", "~", "`")) else "a placeholder begins with $"
    message = f"{field} holds {found}, which reaches the program as it is: {reader}"
    hint = instead or f"right if that is meant; else write {shell_syntax.instead(found)}"
    return warning(target, "MN297", field, message, hint=hint)


def _one_word(target: Target, field: str, option: str, value: str) -> Diagnostic:
    message = f"{field} is one word for the program, with the blank in it: no shell splits {option} from its value"
    return warning(target, "MN297", field, message, hint=f"write two items, {option} and {value}, or {option}={value}")


def _arguments(target: Target) -> Iterator[tuple[str, Text]]:
    """Yield the words of commands that nobody reads but the program: not what ``bash -c '…'`` gives to a shell."""
    read = {field for field, _ in inline_scripts(target)}
    for field, text in (*(word for words in commands(target) for word in words), *ray_arguments(target)):
        if (
            field not in read and f"{field.rpartition('.')[0]}.0" in target.spans
        ):  # not one string, of which MN117 speaks
            yield field, text
