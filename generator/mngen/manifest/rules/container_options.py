"""``container.options`` against the typed fields of the runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.container_names import OWN, RISKS, TYPED
from mngen.manifest.judging.container_words import container_options
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.words import Option
from mngen.manifest.model import Runtime, Target


def _always(_: Target) -> bool:
    return True


# Whether a typed field says something, by its dotted name in the tables of container_names.
_SET: Mapping[str, Callable[[Target], bool]] = {
    "resources.shm": lambda t: t.resources.shm is not None,
    "resources.gpus": lambda t: t.resources.gpus > 0 and t.container.gpu != "none",
    "workdir": lambda t: t.workdir is not None,
    "ulimits": lambda t: bool(t.ulimits),
    "container.user": lambda t: t.container.user != "image",
    "container.pull": lambda t: t.container.pull != "missing",
    "container.clean_env": _always,
    "container.writable": _always,
    "container.mount_home": _always,
    "resources.cpus": lambda t: t.resources.cpus is not None,
    "resources.memory": lambda t: t.resources.memory is not None,
}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse raw options that mngen writes itself or a typed field sets; warn about those that open the node."""
    runtime = target.runtime
    if target.kind not in {"slurm", "manual"} or runtime not in OWN:
        return
    for option in container_options(target):
        yield from _check_option(target, runtime, option)
        yield from _env(target, option)
        yield from _mount(target, option)


def _check_option(target: Target, runtime: Runtime, option: Option) -> Iterator[Diagnostic]:
    field = f"container.options.{option.index}"
    why = OWN[runtime].get(option.name)
    typed = TYPED[runtime].get(option.name)
    risk = RISKS[runtime].get(option.name)
    if why is not None:
        message = f"container.options gives {option.name}, which mngen decides: {why}"
        yield finding(target, "MN275", field, message, hint="remove it")
    elif typed is not None and _SET[typed](target):
        yield finding(
            target,
            "MN275",
            field,
            f"container.options gives {option.name}, which {typed} decides",
            hint=f"keep {typed} and remove it",
            other=(typed,),
        )
    elif risk is not None:
        message = f"container.options gives {option.name}: {risk}"
        hint = "leave it out unless the site asks for it"
        yield warning(
            target,
            "MN276",
            field,
            message,
            hint=hint,
        )


def _env(target: Target, option: Option) -> Iterator[Diagnostic]:
    if option.name != "--env" or not option.value:
        return
    names = [word.partition("=")[0] for word in option.value.split(",")]
    typed = {name: f"env.{name}" for name, _ in target.env}
    typed.update({secret.name: f"secrets.{secret.name}" for secret in target.secrets})
    for name in names:
        if name in typed:
            yield finding(
                target,
                "MN275",
                f"container.options.{option.index}",
                f"container.options sets {name}, which {typed[name]} sets already",
                hint=f"keep {typed[name]}",
                other=(typed[name],),
            )


def _mount(target: Target, option: Option) -> Iterator[Diagnostic]:
    if option.name not in {"--bind", "--volume", "--mount"} or not option.value:
        return
    known = {mount.place.rstrip("/"): f"mounts.{index}" for index, mount in enumerate(target.mounts)}
    if target.code is not None and target.code.to is not None:
        known.setdefault(target.code.to.rstrip("/"), "code.to")
    for place in _destinations(option):
        owner = known.get(place)
        if owner is not None:
            yield finding(
                target,
                "MN275",
                f"container.options.{option.index}",
                f"container.options mounts something at {place}, which {owner} does already",
                hint=f"keep {owner}",
                other=(owner,),
            )


def _destinations(option: Option) -> Iterator[str]:
    value = option.value or ""
    if option.name == "--mount":
        for part in value.split(","):
            key, _, place = part.partition("=")
            if key in {"target", "destination", "dst"}:
                yield place.rstrip("/")
        return
    for item in value.split(",") if option.name != "--volume" else [value]:
        parts = item.split(":")
        yield (parts[1] if len(parts) > 1 else parts[0]).rstrip("/")
