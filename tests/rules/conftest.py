"""Targets built by hand: ``target(ray={"version": "2.48.0"})`` is a target with that one field set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import pytest

from mngen.diagnostics import Diagnostic, Span
from mngen.manifest import rules
from mngen.manifest.image import Image, Pip
from mngen.manifest.model import (
    Code,
    Dashboard,
    Driver,
    Endpoint,
    Manifest,
    Memory,
    Mount,
    OnTimeLimit,
    Prepare,
    Ray,
    Ready,
    ReadyImage,
    Resources,
    Resume,
    Retry,
    Runtime,
    RuntimeEnv,
    Script,
    Secret,
    Service,
    Slurm,
    Target,
    Variant,
    Where,
)
from mngen.manifest.text import Ref, Text, literal


class Everywhere(dict[str, Span]):
    """A place for every field, each on a line of its own, as if all had been written."""

    def __contains__(self, path: object) -> bool:
        return True

    def get(self, path: str, default: object = None) -> Span:
        return self[path]

    def __missing__(self, path: str) -> Span:
        self[path] = Span("mngen.yaml", len(self) + 1)
        return self[path]


def text(value: str | Text) -> Text:
    """Take ``${{ NAME }}`` as a placeholder left for run time."""
    if isinstance(value, Text):
        return value
    parts: list[str | Ref] = []
    rest = value
    while "${{" in rest:
        before, _, after = rest.partition("${{")
        name, _, rest = after.partition("}}")
        parts += [before, Ref(name.strip())] if before else [Ref(name.strip())]
    return Text((*parts, rest)) if rest or not parts else Text(tuple(parts))


def pairs(values: Mapping[str, Any]) -> tuple[tuple[str, Text], ...]:
    return tuple((name, text(value)) for name, value in values.items())


def texts(values: Any) -> tuple[Text, ...]:
    return tuple(text(value) for value in values)


def service(name: str, values: Mapping[str, Any]) -> Service:
    given = dict(values)
    port = given.pop("port", None)
    given["command"] = texts(given.get("command", ["serve"]))
    given["env"] = pairs(given.get("env", {}))
    given["on"] = Where(given.get("on", "head"))
    if "ready" in given:
        ready = dict(given["ready"])
        ready["command"] = texts(ready.get("command", ()))
        given["ready"] = Ready(**ready)
    return Service(name=name, port=port if port != "auto" else None, has_port=port is not None, **given)


def step(values: Any) -> Prepare:
    given = {"run": values} if isinstance(values, str) else dict(values)
    where = Where(given.pop("on", "head"))
    if "creates" in given:
        given["creates"] = text(given["creates"])
    return Prepare(script=Script(text(given.pop("run"))), on=where, **given)


CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "variant": Variant,
    "runtime": Runtime,
    "image": lambda v: ReadyImage(**{k: text(x) if k != "ref" else x for k, x in v.items()}),
    "built_image": lambda v: Image(
        **{
            "variant": "cuda",
            "repository": "r.example/a",
            "tag": "1",
            "base": "debian:12",
            "pip": Pip(packages=("ray",)),
            **v,
        }
    ),
    "workdir": text,
    "code": lambda v: Code(**v),
    "mounts": lambda v: tuple(Mount(**{**m, "source": text(m["source"]), "target": text(m["target"])}) for m in v),
    "env": pairs,
    "env_files": texts,
    "secrets": lambda v: tuple(
        Secret(name=n, **{k: text(x) if k == "file" else x for k, x in s.items()}) for n, s in v.items()
    ),
    "ulimits": lambda v: tuple((k, str(x)) for k, x in v.items()),
    "services": lambda v: tuple(service(n, s) for n, s in v.items()),
    "prepare": lambda v: tuple(step(s) for s in v),
    "host_setup": lambda v: Script(text(v)),
    "setup": lambda v: Script(text(v)),
    "preflight": lambda v: Script(text(v)),
    "cleanup": lambda v: Script(text(v)),
    "on_time_limit": lambda v: OnTimeLimit(**v),
    "retry": lambda v: Retry(**{k: tuple(x) if isinstance(x, list) else x for k, x in v.items()}),
    "resume": lambda v: Resume(args=texts(v["args"])),
    "endpoint": lambda v: Endpoint(**{**v, "file": text(v["file"])}),
    "unset_env": tuple,
    "expose": tuple,
    "memory": lambda v: Memory(**v) if isinstance(v, dict) else Memory(per_node=v),
    "runtime_env": lambda v: RuntimeEnv(**{**v, "env_vars": tuple(v.get("env_vars", {}).items())}),
    "options": texts,
    "prefix": texts,
    "args": texts,
    "extra_args": texts,
    "command": texts,
    "ray": lambda v: Ray(**plain(v)),
}
LISTS = ("unset_env_prefixes", "extra", "srun_args")
RAY_ARGS = ("start_args", "head_args", "worker_args")


def plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """Take ``ray``, whose other lists are of words that are known when the files are written."""
    found = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    found.update({name: texts(given[name]) for name in RAY_ARGS if name in given})
    if "dashboard" in found:
        found["dashboard"] = Dashboard(**found["dashboard"])
    return found


def replaced(value: Any, overrides: Mapping[str, Any]) -> Any:
    """Lay plain data over a value of the model, field by field."""
    changes = {}
    for name, given in overrides.items():
        default = getattr(value, name)
        if name in CONVERTERS:
            changes[name] = CONVERTERS[name](given)
        elif isinstance(default, msgspec.Struct) and isinstance(given, Mapping):
            changes[name] = replaced(default, given)
        else:
            changes[name] = tuple(given) if name in LISTS else given
    return msgspec.structs.replace(value, **changes)


def slurm_of(given: Mapping[str, Any], default: Slurm) -> Slurm:
    """Take ``slurm: {partition: gpu}`` as a manifest has it: typed fields beside the block's own."""
    own = {f.name for f in msgspec.structs.fields(Slurm)}
    fields = {name: value for name, value in given.items() if name not in own}
    return replaced(default, {**{n: v for n, v in given.items() if n in own}, "fields": fields})


Build = Callable[..., Target]


def build(**overrides: Any) -> Target:
    """Build a two-node Slurm target with 8 GPUs and a driver, and the overrides laid over it."""
    base = Target(
        name="here",
        kind="slurm",
        workload="train",
        resources=Resources(nodes=2, gpus=8),
        driver=Driver(command=(literal("python3"), literal("train.py"))),
        spans=Everywhere(),
    )
    slurm = overrides.pop("slurm", {})
    built: Target = replaced(msgspec.structs.replace(base, slurm=slurm_of(slurm, base.slurm)), overrides)
    return built


def manifest_of(*targets: Target) -> Manifest:
    return Manifest(name="train", file="mngen.yaml", file_name="mngen.yaml", targets=targets)


@pytest.fixture
def target() -> Build:
    return build


@pytest.fixture
def findings() -> Callable[..., list[Diagnostic]]:
    """All findings on a target with these fields."""

    def run(**overrides: Any) -> list[Diagnostic]:
        return rules.check(manifest_of(build(**overrides)))

    return run


@pytest.fixture
def codes(findings: Callable[..., list[Diagnostic]]) -> Callable[..., list[str]]:
    """The findings as ``MN200`` (error), ``MN206w`` (warning), ``MN246n`` (note), sorted."""

    def run(**overrides: Any) -> list[str]:
        return sorted(f"{d.code}{d.severity.value[0].replace('e', '')}" for d in findings(**overrides))

    return run


@pytest.fixture
def manifest() -> Callable[..., Manifest]:
    return manifest_of


def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None] | None:
    """Give ``fields`` and ``expected`` of a module's ``CASES`` (name: (fields, codes)) to its tests."""
    if hasattr(metafunc.module, "CASES") and {"fields", "expected"} <= set(metafunc.fixturenames):
        cases = metafunc.module.CASES
        metafunc.parametrize(("fields", "expected"), list(cases.values()), ids=list(cases))
    return None
