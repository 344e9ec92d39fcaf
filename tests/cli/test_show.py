"""``show``: the effective manifest, its origins, its ports."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mngen.cli.inputs import reader
from mngen.cli.port_table import port_table
from mngen.cli.showing import yaml_text
from mngen.launch import ports
from mngen.launch.ranks import Ranks
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.shown import shown
from mngen.manifest.source import load_text

GOLDEN = Path(__file__).parents[2] / "golden"


def test_each_value_says_where_it_was_written(mngen, manifest) -> None:
    Path("over.yaml").write_text("env: {B: two words}\n")
    result = mngen("show", manifest, "--target", "second", "--overlay", "over.yaml", "--set", "resources.gpus=4")
    assert result.status == 0
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert lines[0] == "# target second"
    assert "nodes: 4 # job.yaml:8 (target)" in lines
    assert "gpus: 4 # --set:1 (--set)" in lines
    assert "A: 1e-6 # job.yaml:4" in lines
    assert "B: two words # over.yaml:1 (overlay)" in lines


def test_all_targets_are_shown_unless_one_is_named(mngen, manifest) -> None:
    assert mngen("show", manifest).out.count("# target ") == 2
    assert mngen("show", manifest, "--target", "first").out.count("# target ") == 1


def test_the_ports_are_listed(mngen, manifest) -> None:
    fixed = mngen("show", manifest, "--target", "first", "--set", "ray.ports.gcs=6400").out
    assert "#   ray.ports.gcs                6400\n" in fixed
    assert "#   ray.ports.dashboard          first + 1\n" in fixed


ASKS = {
    "NCCL_SOCKET_IFNAME: ib0": ("env.NCCL_SOCKET_IFNAME", "=${NODE_INTERFACE}"),
    "GLOO_SOCKET_IFNAME: ''": ("env.GLOO_SOCKET_IFNAME", "${NODE_INTERFACE}"),
    "NCCL_NET: IBext": ("env.NCCL_NET", "IB"),
    "RAY_USAGE_STATS_ENABLED: 1": ("env.RAY_USAGE_STATS_ENABLED", "0"),
    "HF_ENDPOINT: https://hub.example.org": ("env.HF_ENDPOINT", "https://mirror.example.org/hf"),
}


@pytest.mark.parametrize("variable", ASKS)
def test_what_stands_for_a_derived_value_is_listed(mngen, variable) -> None:
    text = "apiVersion: mngen/v1\nname: a\nnetwork: {fabric: ib}\ndriver: {command: [x]}\n"
    text += "mirrors: {huggingface: 'https://mirror.example.org/hf'}\n"
    text += f"env: {{{variable}, MINE: 1}}\nray: {{ports: {{metrics: 9100}}}}\ntargets: {{job: {{kind: slurm}}}}\n"
    field, value = ASKS[variable]
    rows = {field: value, "ray.ports.metrics": "first + 8"}
    lines = mngen("show", "-", stdin=text).out.splitlines()
    at = lines.index("# set above instead of what mngen would set")
    assert dict(line[4:].split(maxsplit=1) for line in lines[at + 1 :]) == rows
    document = json.loads(mngen("show", "-", "--format", "json", stdin=text).out)
    assert document["targets"]["job"]["replaced"] == rows


def test_where_nothing_is_replaced_nothing_is_listed(mngen, manifest) -> None:
    assert "instead" not in mngen("show", manifest).out


def test_what_mngen_would_set_itself_replaces_nothing(mngen) -> None:
    text = "apiVersion: mngen/v1\nname: a\nnetwork: {fabric: ib}\ndriver: {command: [x]}\nenv: {NCCL_NET: IB}\n"
    text += "ray: {ports: {gcs: 6379}}\ntargets: {job: {kind: manual}}\n"
    assert "instead" not in mngen("show", "-", stdin=text).out


def test_json_has_fields_origins_and_ports(mngen, manifest) -> None:
    document = json.loads(mngen("show", manifest, "--format", "json").out)
    second = document["targets"]["second"]
    assert second["fields"]["resources"] == {"nodes": 4, "gpus": 8, "cpus": 96}
    assert second["origins"]["resources.nodes"]["layer"] == "target"
    assert second["origins"]["env.A"]["line"] == 4
    assert second["ports"]["ray.ports.gcs"] == "first + 0"


def test_a_wrong_manifest_is_not_shown(mngen) -> None:
    result = mngen("show", "-", stdin="a: [")
    assert (result.status, result.out) == (1, "")


def test_an_unknown_target_is_a_finding(mngen, manifest) -> None:
    result = mngen("show", manifest, "--target", "secnd")
    assert result.status == 1
    assert "did you mean `second`?" in result.err


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*/manifest.yaml")), ids=lambda path: path.parent.name)
def test_what_is_shown_reads_back_as_the_same(path) -> None:
    loaded = load(path.read_text(), str(path), LoadOptions(read=reader(path.parent)))
    assert loaded.trees
    for tree in loaded.trees.values():
        source = load_text(yaml_text(tree), "shown")
        assert source.diagnostics == ()
        assert shown(source.root) == shown(tree)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " x",
        "x ",
        "a: b",
        "a #b",
        "- x",
        "-x",
        "#",
        "a:",
        "'q'",
        "{",
        "a\nb",
        "a\n\nb\n",
        "\na",
        " a\nb",
        "a\n",
        "\t",
        "é",
        "a\x07",
        "@x",
        "null",
    ],
)
def test_any_text_reads_back_as_the_same(text) -> None:
    tree = load_text(f"env: {{X: {json.dumps(text)}}}\nlist: [{json.dumps(text)}]\n", "in").root
    again = load_text(yaml_text(tree), "shown")
    assert again.diagnostics == ()
    assert shown(again.root) == shown(tree)


def test_the_table_is_what_scripts_assign() -> None:
    text = (
        "apiVersion: mngen/v1\nname: j\ndriver: {command: x}\nray: {ports: {metrics: 9100}}\n"
        "services: {a: {command: x, port: auto, ready: {tcp: true}}, b: {command: x, port: 7001, ready: {tcp: true}},\n"
        "  c: {command: [x, '${{ services.c.port }}'], port: auto}}\n"
        "targets: {shared: {kind: slurm}, alone: {kind: manual}}\n"
    )
    manifest = load(text, "m").manifest
    assert manifest is not None
    shared, alone = manifest.targets
    for target in (shared, alone):
        table = dict(port_table(target))
        for name, value in ports.values(target).items():
            assert table[f"ray.ports.{name}"] == bare(value), name
        lines = ports.lines(target, Ranks.HEAD, loopback=True)
        words = [bare(word) for line in lines for word in re.split(r" (?=[A-Z])", line.strip())]
        for name in "abc":
            assert f"{name.upper()}_PORT={table[f'services.{name}.port']}" in words


def bare(word: str) -> str:
    """A port without what makes it a word of the shell."""
    return re.sub(r"\bfirst$", "first + 0", re.sub(r'"\$\{|\}"|\$\(\(|\)\)', "", word))
