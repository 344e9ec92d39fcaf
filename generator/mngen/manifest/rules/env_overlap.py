"""One variable in two fields: env, secrets, unset_env, Ray's prefixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging import script_names
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.unset_names import named_by
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a name that two fields decide differently."""
    env = {name: f"env.{name}" for name, _ in target.env}
    secrets = {secret.name: f"secrets.{secret.name}" for secret in target.secrets}
    for name in secrets.keys() & env.keys():
        yield _secret_in(target, name, env[name])
    for service in target.services:
        for name, _ in service.env:
            if name in secrets:
                yield _secret_in(target, name, f"services.{service.name}.env.{name}")
    yield from _removed(target, "unset_env", target.unset_env, {**env, **secrets})
    yield from _needed(target)
    prefixes = tuple(f"{prefix}*" for prefix in target.ray.unset_env_prefixes)
    yield from _removed(target, "ray.unset_env_prefixes", prefixes, {**env, **secrets})


def _removed(target: Target, remover: str, patterns: Iterable[str], names: Mapping[str, str]) -> Iterator[Diagnostic]:
    for index, pattern in enumerate(patterns):
        taken = sorted(filter(named_by([pattern]), names)) if pattern.endswith("*") else {pattern} & names.keys()
        for name in taken:
            field = names[name]
            yield finding(
                target,
                "MN266",
                field,
                f"{field} sets {name}, and {remover} removes it ({pattern})",
                hint="remove one of the two, or write a narrower pattern",
                other=(f"{remover}.{index}",),
            )


def _needed(target: Target) -> Iterator[Diagnostic]:
    """Refuse to unset what the job itself needs on a node."""
    needed = ("PATH", *script_names.OWN, *sorted(script_names.INTERNAL)) if target.unset_env else ()
    for index, pattern in enumerate(target.unset_env):
        name = next(filter(named_by([pattern]), needed), None)
        if name is not None:
            with_it = "" if pattern == name else f", and with it {name}"
            hint = "name the variables themselves; ray.unset_env_prefixes keeps names from Ray's processes alone"
            if pattern == name:
                hint = "remove it; setup may set another PATH" if name == "PATH" else "remove it"
            yield finding(
                target,
                "MN266",
                f"unset_env.{index}",
                f"unset_env removes {pattern}{with_it}, which the job needs on each node",
                hint=hint,
            )


def _secret_in(target: Target, name: str, field: str) -> Diagnostic:
    return finding(
        target,
        "MN265",
        field,
        f"{name} is a secret, and {field} gives it a value that would stand in the generated files",
        hint=f"remove {field}; the secret reaches every process of the job",
        other=(f"secrets.{name}",),
    )
