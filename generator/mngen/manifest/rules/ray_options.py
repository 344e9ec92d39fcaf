"""Raw ``ray start`` options that mngen writes itself, or that this Ray does not know."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import by_option
from mngen.manifest.judging.finding import finding, graded, warning
from mngen.manifest.judging.ray_start import ARGUMENT_LISTS, decided_by
from mngen.manifest.judging.words import option_name
from mngen.manifest.model import Target
from mngen.manifest.text import spelled
from mngen.manifest.versions import parse_version

# Refused by `ray start` on a worker ("should only be specified when starting head").
_HEAD_ONLY = frozenset({"--autoscaling-config", "--system-config", "--tracing-startup-hook", "--storage"})


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse raw Ray options that contradict a typed field, and those that the named Ray lacks."""
    for name in ARGUMENT_LISTS:
        for index, word in enumerate(getattr(target.ray, name)):
            option = option_name(spelled(word))
            if option is not None:
                yield from _check_option(target, name, f"ray.{name}.{index}", option)
    yield from _given_twice(target)


def _given_twice(target: Target) -> Iterator[Diagnostic]:
    """Warn of an option that all nodes get and the head, or the workers, get once more: Ray keeps the last one."""
    common = {option_name(spelled(word)): number for number, word in enumerate(target.ray.start_args)}
    for name in ("head_args", "worker_args"):
        for index, word in enumerate(getattr(target.ray, name)):
            option = option_name(spelled(word))
            if option is not None and option in common:
                yield warning(
                    target,
                    "MN207",
                    f"ray.{name}.{index}",
                    f"ray.{name} gives {option}, which ray.start_args gives too: `ray start` keeps one of them",
                    hint=f"write {option} in ray.head_args for the head and in ray.worker_args for the others",
                    other=(f"ray.start_args.{common[option]}",),
                )


def _check_option(target: Target, name: str, field: str, option: str) -> Iterator[Diagnostic]:
    decided = decided_by(target, option)
    if decided is not None:
        yield finding(
            target,
            "MN207",
            field,
            f"ray.{name} gives {option}, which {decided} decides",
            hint=f"remove it and set {decided}" if "." in decided else "remove it",
            other=(decided.split(" ")[0],),
        )
    elif option in _HEAD_ONLY and name != "head_args":
        message = f"ray.{name} gives {option}, which `ray start` refuses on a worker"
        yield finding(target, "MN207", field, message, hint="move it to ray.head_args")
    row = by_option("ray").get(option.removeprefix("--"))
    version = parse_version(target.ray.version or "")
    if row is not None and version is not None and version not in row.versions:
        yield graded(
            row.severity,
            finding(
                target,
                "MN208",
                field,
                f"ray.{name} gives {option}, which Ray {target.ray.version} does not know (only {row.versions})",
                hint="remove the option, or change ray.version",
                other=("ray.version",),
            ),
        )
