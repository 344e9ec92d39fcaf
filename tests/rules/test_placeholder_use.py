"""Placeholders that are used for what they do not stand for."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mngen.codes import CODES
from mngen.manifest import placeholders
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.reference import markdown


def argument(word: str, **more: Any) -> dict[str, Any]:
    return {"driver": {"command": ["train"], "args": [word]}, **more}


IPV4, IPV6 = {"network": {"family": "ipv4"}}, {"network": {"family": "ipv6"}}
CASES = {
    "port after Ray's": (argument("--m=${{ head_address }}:29500", **IPV4), ["MN120w"]),
    "port of a service after Ray's": (argument("${{ head_address }}:${{ services.a.port }}"), ["MN120w"]),
    "Ray's own port": (argument("ray://${{ head_address }}/x"), []),
    "bare head in env": ({"env": {"U": "http://${{ head_ip }}:8000/"}}, ["MN120n"]),
    "bare head in setup": ({"setup": "curl ${{ head_ip }}:8000"}, ["MN120n"]),
    "bare head": (argument("http://${{ head_ip }}:8000/"), ["MN120n"]),
    "bare node, IPv6": (argument("http://${{ node_ip }}:8000/", **IPV6), ["MN120w"]),
    "bare head, IPv6 by its range": (argument("${{ head_ip }}:80", network={"cidr": "fd00::/8"}), ["MN120w"]),
    "bare head, IPv4": (argument("http://${{ head_ip }}:8000/", **IPV4), []),
    "bare head, IPv4 by its range": (argument("${{ head_ip }}:80", network={"cidr": "10.0.0.0/8"}), []),
    "bare head in brackets": (argument("[${{ head_ip }}]:8000", **IPV6), []),
    "bare head and text": (argument("head=${{ head_ip }}: yes", **IPV6), []),
    "host": (argument("http://${{ head_host }}:8000/${{ node_host }}:1", **IPV6), []),
    "a script's variable": ({"prepare": ["curl ${{ head_ip }}:$PORT/"], **IPV6}, ["MN120w"]),
    "a service": ({"services": {"a": {"command": ["s", "${{ head_ip }}:1"]}}, **IPV6}, ["MN120w"]),
}


def test_port_after_an_address(codes: Any, fields: dict[str, Any], expected: list[str]) -> None:
    assert codes(**fields) == expected


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("", []),
        ("services: {v: {command: [s], gpus: 8}}", ["total_gpus"]),
        ("services: {v: {command: [s], gpus: 2, on: every-node}}", ["total_gpus", "gpus"]),
        ("services: {v: {command: [s], gpus: 2}, w: {command: [s], gpus: 2}}", ["total_gpus"]),
        ("services: {v: {command: [s]}}\nray: {head_gpus: 8}", []),
        ("ray: {head_gpus: 0}", ["total_gpus"]),
        ("ray: {head_gpus: 7}", ["total_gpus"]),
    ],
)
def test_gpus_that_ray_does_not_have(fields: str, said: list[str]) -> None:
    words = "'${{ total_gpus }}', '${{ gpus }}', '${{ ray_gpus }}'"
    text = (
        f"apiVersion: mngen/v1\nname: a\nresources: {{nodes: 2, gpus: 8}}\n{fields}\ntargets: {{x: {{kind: slurm}}}}\n"
    )
    loaded = load(f"{text}driver: {{command: [p], args: [{words}]}}\n", "m.yaml", LoadOptions())
    assert loaded.manifest is not None
    found = [item for item in loaded.diagnostics if item.code == "MN298"]
    assert [item.message.split("`")[1] for item in found] == said
    total, gpus, of_ray = (int(word.literal or "") for word in loaded.manifest.targets[0].driver.args)
    assert (total, gpus) == (16, 8)
    assert (of_ray < 16) == bool(said)


@pytest.mark.parametrize(
    ("defined", "used", "said"),
    [
        ("vars: {n: '${{ total_gpus }}'}", "world=${{ vars.n }}", ["(through `vars.n`)"]),
        ("vars: {n: '${{ vars.m }}', m: '${{ total_gpus }}'}", "${{ vars.n }}", ["(through `vars.n`)"]),
        ("vars: {n: '${{ total_gpus }}'}", "${{ vars.n }} ${{ vars.n }}", ["(through `vars.n`)"] * 2),
        ("env: {WORLD: '${{ total_gpus }}'}", "${{ env.WORLD }}", ["(through `env.WORLD`)"]),
        ("env: {WORLD: '${{ ray_gpus }}'}", "${{ env.WORLD }}", []),
        ("vars: {n: '${{ total_gpus }}'}", "x", []),
    ],
)
def test_such_gpus_are_seen_through_variables(defined: str, used: str, said: list[str]) -> None:
    text = f"apiVersion: mngen/v1\nname: a\n{defined}\nresources: {{nodes: 2, gpus: 8}}\nray: {{head_gpus: 0}}\n"
    text += f"driver: {{command: [p], args: ['{used}']}}\ntargets: {{x: {{kind: slurm}}}}\n"
    found = [item for item in load(text, "m.yaml", LoadOptions()).diagnostics if item.code == "MN298"]
    assert len(found) == len(said)
    assert all(way in item.message and "`total_gpus`" in item.message for way, item in zip(said, found, strict=True))


def test_every_placeholder_is_described() -> None:
    tables = (placeholders.RENDER_NAMES, placeholders.NODE_NAMES, placeholders.CLUSTER_NAMES, placeholders.OPEN_NAMES)
    page, explained = markdown(), CODES["MN108"].explanation
    for name, meaning in (item for table in tables for item in table.items()):
        assert len(meaning) > 8
        assert f"| `{name}` |" in page
        assert f" {name}" in explained, "mngen explain MN108 lists them"


@pytest.mark.parametrize(
    ("nodes", "fields", "with_gpus", "on_a_node"),
    [
        (2, "", 2, 8),
        (1, "services: {v: {command: [s], gpus: 3}}", 1, 5),
        (2, "services: {v: {command: [s], gpus: 8}}", 1, 8),  # the head has none then
        (2, "services: {v: {command: [s], gpus: 2}}", 2, 6),
        (2, "services: {v: {command: [s], gpus: 2, on: every-node}}", 2, 6),
        (4, "ray: {head_gpus: 0}", 3, 8),
        (1, "services: {v: {command: [s], gpus: 8}}", 0, 0),
    ],
)
def test_what_a_driver_is_told_of_ray_fits(nodes: int, fields: str, with_gpus: int, on_a_node: int) -> None:
    """What the hint says, followed, is the end of it."""
    head = f"apiVersion: mngen/v1\nname: a\nresources: {{nodes: {nodes}, gpus: 8}}\n"
    text = f"{head}{fields}\ntargets: {{x: {{kind: slurm}}}}\n"
    counts = {"trainer.nnodes": "${{ nodes }}", "trainer.n_gpus_per_node": "${{ gpus }}"}
    for _ in range(3):
        words = json.dumps([f"{name}={value}" for name, value in counts.items()])
        loaded = load(f"{text}driver: {{command: [p], args: {words}}}\n", "m.yaml", LoadOptions())
        hints = [item.hint or "" for item in loaded.diagnostics if item.code == "MN298"]
        counts.update(re.findall(r"(trainer\.\w+)=(\$\{\{ \w+ \}\}|\d+)", " ".join(hints)))
    assert hints == [] or on_a_node == 0
    words = "[p, '${{ ray_nodes }}', '${{ ray_node_gpus }}']"
    scope = load(f"{text}driver: {{command: {words}}}\n", "m.yaml", LoadOptions())
    assert scope.manifest is not None
    counted = [word.literal for word in scope.manifest.targets[0].driver.command[1:]]
    assert counted == [str(with_gpus), str(on_a_node)]
