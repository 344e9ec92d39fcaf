"""Node and GPU counts among the driver's arguments, against the cluster's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from mngen.diagnostics import Diagnostic
from mngen.manifest.gpu_share import ray_gpus, ray_nodes
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.model_servers import may_serve, parallel
from mngen.manifest.judging.placed_texts import argument_lists, commands
from mngen.manifest.judging.programs import calls
from mngen.manifest.model import Target
from mngen.manifest.whole_numbers import whole_number

_NAME = re.compile(r"(?:--|\+{0,2})(?P<name>[A-Za-z][\w.-]*)(?:=(?P<value>.*))?", re.DOTALL)


class _Pair(Struct, frozen=True):
    """Names of the arguments that say how many nodes, and GPUs of each, a program's workers take."""

    nodes: str
    gpus: str
    whole: bool = False
    """True where the workers are meant to take the whole cluster."""


_PAIRS = (
    _Pair("trainer.nnodes", "trainer.n_gpus_per_node", whole=True),  # verl
    *(  # SkyRL
        _Pair(f"trainer.placement.{role}_num_nodes", f"trainer.placement.{role}_num_gpus_per_node")
        for role in ("policy", "critic", "ref")
    ),
    *(  # OpenRLHF
        _Pair(f"{role}{dot}num_nodes", f"{role}{dot}num_gpus_per_node")
        for role in ("actor", "critic", "ref", "reward")
        for dot in ("_", ".")  # by release
    ),
    _Pair("actor-num-nodes", "actor-num-gpus-per-node"),  # slime
    _Pair("cluster.num_nodes", "cluster.gpus_per_node", whole=True),  # NeMo-RL, examples/configs/grpo_math_1B.yaml
    _Pair("cluster.n_nodes", "cluster.n_gpus_per_node", whole=True),  # AReaL, areal/api/cli_args.py, ClusterSpecConfig
)

_BEHIND = 10
"""Among so many words of the driver's stands its program's name: behind ``env``, ``uv run`` and their like."""


class _Given(Struct, frozen=True):
    field: str
    value: str


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse counts beyond the cluster's, which never get placed; warn about idle GPUs."""
    given = _counts(target)
    for pair in _PAIRS:
        nodes, gpus = given.get(pair.nodes), given.get(pair.gpus)
        if nodes is not None and int(nodes.value) > target.resources.nodes:
            yield _beyond(target, pair.nodes, nodes, "resources.nodes", target.resources.nodes)
        elif gpus is not None and int(gpus.value) > target.resources.gpus:
            yield _beyond(target, pair.gpus, gpus, "resources.gpus", target.resources.gpus)
        elif nodes is not None and gpus is not None:
            yield from _product(target, pair, nodes, gpus)
    yield from _server(target)


def _beyond(target: Target, name: str, given: _Given, field: str, have: int) -> Diagnostic:
    placeholder = "nodes" if field == "resources.nodes" else _on_a_node(target)
    return finding(
        target,
        "MN298",
        given.field,
        f"{name} is {given.value}, but {field} is {have}: the driver would wait for ever for what is not there",
        hint=f"write {name}=${{{{ {placeholder} }}}}, which follows the manifest",
        other=(field,),
    )


def _product(target: Target, pair: _Pair, nodes: _Given, gpus: _Given) -> Iterator[Diagnostic]:
    wanted = int(nodes.value) * int(gpus.value)
    resources, services, head_gpus = target.resources, target.services, target.ray.head_gpus
    have = ray_gpus(resources.nodes, resources.gpus, services, head_gpus)
    with_gpus, fewest = _ray_nodes(target)
    text = f"{pair.nodes} x {pair.gpus} is {nodes.value} x {gpus.value} = {wanted} GPUs, but Ray has {have}"
    fields = (gpus.field, "resources.nodes", "resources.gpus", "ray.head_gpus")
    if wanted > have:
        yield finding(target, "MN298", nodes.field, text, hint=_fitting(target, pair), other=fields)
    elif pair.whole and wanted < with_gpus * fewest:
        hint = f"{_fitting(target, pair)}, or ask for fewer"
        yield warning(target, "MN298", nodes.field, f"{text}: the others stay idle", hint=hint, other=fields)


def _server(target: Target) -> Iterator[Diagnostic]:
    """Refuse a server whose workers Ray cannot all place; without GPUs its sizes are about CPUs."""
    resources, services, head_gpus = target.resources, target.services, target.ray.head_gpus
    have = ray_gpus(resources.nodes, resources.gpus, services, head_gpus)
    words = commands(target)[0]
    for call in calls(words) if resources.gpus and may_serve(words[:_BEHIND]) else ():
        found = parallel(call)
        if found is not None and found.total > have:
            message = f"{found.said} takes {found.total} GPUs, but Ray has {have}"
            hint = _fitting(target, _Pair("--pipeline-parallel-size", "--tensor-parallel-size"))
            yield finding(target, "MN298", found.field, message, hint=hint, other=("resources.nodes", "resources.gpus"))


def _fitting(target: Target, pair: _Pair) -> str:
    with_gpus, _ = _ray_nodes(target)
    nodes = "nodes" if with_gpus in (0, target.resources.nodes) else "ray_nodes"
    of_nodes, of_gpus = f"{pair.nodes}=${{{{ {nodes} }}}}", f"{pair.gpus}=${{{{ {_on_a_node(target)} }}}}"
    return f"write {of_gpus} and {of_nodes}" if pair.nodes.startswith("-") else f"write {of_nodes} and {of_gpus}"


def _on_a_node(target: Target) -> str:
    """Return the placeholder for the GPUs that a driver may take on each node."""
    return "gpus" if _ray_nodes(target)[1] == target.resources.gpus else "ray_node_gpus"


def _ray_nodes(target: Target) -> tuple[int, int]:
    return ray_nodes(target.resources.nodes, target.resources.gpus, target.services, target.ray.head_gpus)


def _counts(target: Target) -> Mapping[str, _Given]:
    """Return every argument of the driver whose value is a number; the last one counts."""
    words = [(field, text.literal or "") for field, text in argument_lists(target) if field.startswith("driver.")]
    found = {}
    for index, (field, word) in enumerate(words):
        match = _NAME.fullmatch(word)
        if match is None:
            continue
        value = match["value"]
        if value is None and word.startswith("--") and index + 1 < len(words):
            value = words[index + 1][1]
        if value is not None and whole_number(value) is not None and len(value) < 7:
            found[match["name"]] = _Given(field, value)
    return found
