"""From a target's effective fields to a :class:`~mngen.manifest.model.Target`, defaults applied.

Nothing is judged here beyond types and placeholders; what fields mean together is for ``rules``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeVar

from msgspec.structs import replace

from mngen.diagnostics import Span
from mngen.manifest import leaf
from mngen.manifest import parse_place as where
from mngen.manifest import parse_run as what
from mngen.manifest.gpu_share import gpu_share, ray_gpus, ray_nodes
from mngen.manifest.merge import walk
from mngen.manifest.model import Runtime, Target, Variant
from mngen.manifest.node import Node, Scalar, child, plain
from mngen.manifest.scope import AUTO_PORT, Scope
from mngen.manifest.text import Phase
from mngen.manifest.typed_fields import Fields, place

_Choice = TypeVar("_Choice", bound=Enum)


def parse_target(name: str, workload: str, node: Node, scope: Scope) -> Target:
    """Read one target; findings go to ``scope``, and a field with a finding has its default."""
    fields = Fields(node, "", scope)
    kind = fields.line("kind") or ""
    variant = _choice(fields, "variant", Variant.CUDA)
    runtime = _choice(fields, "runtime", Runtime.NONE)
    image = fields.section("image")
    mirrors = where.mirrors(fields.section("mirrors"))
    in_image = runtime is not Runtime.NONE or kind in {"skypilot", "dstack"}
    scope.check_variables()
    built = where.described_image(image, variant.value, needed=in_image)
    return Target(
        name=name,
        kind=kind,
        workload=workload,
        variant=variant,
        runtime=runtime,
        resources=where.resources(fields.section("resources")),
        image=where.ready_image(image),
        built_image=replace(built, mirrors=mirrors) if built is not None else None,
        workdir=fields.text("workdir", Phase.NODE),
        code=where.code(fields.section("code")),
        mounts=where.mounts(fields),
        env=what.variables(fields, "env", Phase.CLUSTER),
        env_files=fields.texts("env_files", Phase.NODE),
        secrets=what.secrets(fields),
        unset_env=fields.lines("unset_env"),
        ulimits=_limits(fields),
        network=where.network(fields.section("network")),
        mirrors=mirrors,
        ray=what.ray(fields.section("ray")),
        container=where.container(fields.section("container")),
        host_setup=fields.script("host_setup", Phase.NODE),
        setup=fields.script("setup", Phase.CLUSTER),
        preflight=fields.script("preflight", Phase.CLUSTER),
        cleanup=fields.script("cleanup", Phase.CLUSTER),
        prepare=what.prepare(fields),
        services=what.services(fields),
        driver=what.driver(fields.section("driver")),
        logs=what.logs(fields.section("logs")),
        on_time_limit=what.on_time_limit(fields.section("on_time_limit")),
        on_node_loss=fields.choice("on_node_loss", "fail"),
        retry=what.retry(fields.section("retry")),
        resume=what.resume(fields.section("resume")),
        debug=what.debug(fields.section("debug")),
        endpoint=what.endpoint(fields.section("endpoint")),
        expose=fields.integers("expose"),
        slurm=where.slurm(fields.section("slurm")),
        version=fields.line("version"),
        raw=_raw(fields),
        spans=spans(node),
    )


def target_scope(name: str, workload: str, node: Node, elsewhere: Mapping[str, str], lines: Mapping[str, Any]) -> Scope:
    """Return what the placeholders of a target's fields can name; wrong counts are ``parse_target``'s to report."""
    fields = Fields(node, "", Scope(values={}))
    counts = where.resources(Fields(child(node, "resources"), "resources", fields.scope))
    shares = [what.gpus_of(name, Fields(part, "", fields.scope)) for name, part in fields.entries("services")]
    head_gpus = fields.section("ray").optional_integer("head_gpus")
    of_ray = ray_gpus(counts.nodes, counts.gpus, shares, head_gpus)
    with_gpus, fewest = ray_nodes(counts.nodes, counts.gpus, shares, head_gpus)
    on_a_node = gpu_share(counts.gpus, shares, head_gpus)[: counts.nodes]
    beyond = {"total_gpus": of_ray < counts.total_gpus, "gpus": max(on_a_node, default=0) < counts.gpus}
    values = {
        "nodes": str(counts.nodes),
        "gpus": str(counts.gpus),
        "total_gpus": str(counts.total_gpus),
        "ray_gpus": str(of_ray),
        "ray_nodes": str(with_gpus),
        "ray_node_gpus": str(fewest),
        "name": workload,
        "target": name,
        "variant": fields.line("variant") or Variant.CUDA.value,
    }
    ports = {service: _port(Fields(part, "", fields.scope)) for service, part in fields.entries("services")}
    return Scope(
        values=values,
        variables=dict(fields.entries("vars")),
        elsewhere=elsewhere,
        env=dict(fields.entries("env")),
        secrets=frozenset(name for name, _ in fields.entries("secrets")),
        ports=ports,
        lines=lines,
        beyond_ray=frozenset(name for name, more in beyond.items() if more),
    )


def spans(node: Node) -> dict[str, Span]:
    """Return where each field is written, by dotted path; a map is where its key is."""
    return {path: place(part) for path, part in walk(node)}


def _port(service: Fields) -> str | None:
    node = service.get("port")
    if node is None or not isinstance(node.value, Scalar):
        return None
    return AUTO_PORT if node.value.spelling == AUTO_PORT else node.value.spelling


def _choice(fields: Fields, key: str, default: _Choice) -> _Choice:
    found = fields.choice(key, str(default.value))
    try:
        return type(default)(found)
    except ValueError:
        node = fields.get(key)
        hint = f"one of {', '.join(str(choice.value) for choice in type(default))}"
        fields.scope.report("MN104", f"`{key}` cannot be `{found}`", node.span if node else None, hint)
        return default


def _limits(fields: Fields) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, leaf.line(fields.scope, node, f"ulimits.{name}") or "") for name, node in fields.entries("ulimits")
    )


def _raw(fields: Fields) -> Mapping[str, Any]:
    node = fields.section("raw").node
    data = plain(node) if node is not None else {}
    return data if isinstance(data, dict) else {}
