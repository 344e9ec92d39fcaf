"""Loading as a whole: fields by spelling, defaults, types, and all findings of a stage at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from mngen.diagnostics import Span
from mngen.manifest.accepts import release_finding
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.model import Memory, Runtime, Variant, Where
from mngen.manifest.node import Node
from mngen.manifest.scalars import quoted_scalar

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


def beside(manifest):
    return LoadOptions(read=lambda path: (manifest.parent / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("manifest", sorted(GOLDEN.glob("*/manifest.yaml")), ids=lambda path: path.parent.name)
def test_examples_have_no_fault_of_text_or_layers(manifest):
    found = load(manifest.read_text(encoding="utf-8"), str(manifest), beside(manifest))
    assert [d for d in found.diagnostics if d.code.startswith("MN1") and d.severity.value == "error"] == []


SPELLINGS = [
    "1e-6",
    "1.0e-6",
    "5e-7",
    "0.00001",
    "0755",
    "NO",
    "no",
    "off",
    "1_000",
    "+3",
    "~x",
    "true",
    "True",
    "+a=1",
]
SPELLINGS += ["++b=2", "~c.d", "12:30:00", "0x1F", ".5", "1.0", "2-00:00:00", "'1 2'", "a#b", "x: 'y'"[:1]]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_text_stays_as_written(target, spelling):
    found = target(f"env: {{X: {spelling}}}\ndriver: {{command: [p], args: [{spelling}]}}\n")
    written = spelling.strip("'")
    assert dict(found.env)["X"].literal == written
    assert found.driver.args[0].literal == written


@pytest.mark.parametrize("spelling", ["~", "null", "Null", ""])
def test_nothing_is_no_text(errors, spelling):
    assert errors(f"env:\n  X: {spelling}\n")[0][:2] == ("MN106", 4)
    assert errors(f"driver:\n  command: [p]\n  args:\n  - {spelling}\n")[0][:2] == ("MN106", 6)


def test_the_empty_text_is_for_values_and_not_for_names(target, errors):
    found = target("env: {X: ''}\ndriver: {command: [p], args: ['']}\n")
    assert dict(found.env)["X"].literal == ""
    assert found.driver.args[0].literal == ""
    assert errors("workdir: ''\n")[0][0] == "MN106"
    assert errors("vars: {e: ''}\nslurm: {account: '${{ vars.e }}'}\n")[0][0] == "MN106"


def test_colon_in_a_list_item_tells_how_to_quote(errors):
    ((code, line, _, hint),) = errors("driver:\n  command:\n  - sh\n  - echo foo: bar\n")
    assert (code, line) == ("MN103", 6)
    assert "quotes" in hint
    assert "`|`" in hint


def test_defaults(target):
    found = target("")
    assert (found.kind, found.variant, found.runtime) == ("slurm", Variant.CUDA, Runtime.NONE)
    assert (found.resources.nodes, found.resources.gpus, found.resources.cpus) == (1, 0, None)
    assert found.ray.command == ("ray",)
    assert found.logs.dir == "logs"
    assert found.driver.wait is True
    assert (found.on_node_loss, found.on_time_limit, found.image, found.built_image) == ("fail", None, None, None)


@pytest.mark.parametrize(
    ("spelled", "memory"),
    [
        ("64G", Memory(per_node="64G")),
        ("64G+", Memory(per_node="64G")),
        ("0", Memory(per_node="0")),
        ("{per_cpu: 4G}", Memory(per_cpu="4G")),
        ("{per_gpu: 128GiB}", Memory(per_gpu="128GiB")),
        ("'${{ vars.m }}'", Memory(per_node="8T")),
    ],
)
def test_memory(target, spelled, memory):
    assert target(f"vars: {{m: 8T}}\nresources: {{memory: {spelled}, cpus: 8, gpus: 1}}\n").resources.memory == memory


@pytest.mark.parametrize(
    "spelled", ["64", "64 G", "0+", "-1", "{}", "{per_cpu: 1G, per_gpu: 1G}", "[1G]", "'${{ vars.m }}'"]
)
def test_memory_refused(errors, spelled):
    found = errors(f"vars: {{m: lots}}\nresources: {{memory: {spelled}}}\n")
    assert {entry[0] for entry in found} <= {"MN103", "MN104", "MN106"}


def test_services_and_steps(target):
    found = target(
        "services:\n"
        "  a: {command: x 'y z', on: every-node, port: auto, gpus: 1, env: {K: 1}, ready: {command: [t], timeout: 5}}\n"
        "  b: {command: [x], port: 7000}\n  c: {command: [x]}\n"
        "resources: {gpus: 1}\n"
        "prepare:\n- run: |\n    one\n    two\n  when: before-ray\n  on: every-node\n  creates: /x\n  name: n\n- run: x\n"
    )
    one, two, three = found.services
    assert [w.literal for w in one.command] == ["x", "y z"]
    assert (one.on, one.port, one.has_port, one.gpus) == (Where.EVERY_NODE, None, True, 1)
    assert (one.env[0][1].literal, one.ready.command[0].literal, one.ready.timeout) == ("1", "t", 5)
    assert [(s.port, s.has_port) for s in (two, three)] == [(7000, True), (None, False)]
    step = found.prepare[0]
    assert (step.script.text.literal, step.script.literal_block, step.when) == ("one\ntwo\n", True, "before-ray")
    assert (step.on, step.creates.literal, step.name) == (Where.EVERY_NODE, "/x", "n")
    assert found.prepare[1].when == "before-driver"


def test_directives_are_text_or_switches(target):
    found = target("slurm: {comment: true, time: 90, exclusive: true, requeue: false, nice: -5, output: 'a%j'}\n")
    assert found.slurm.fields == {"comment": "true", "time": "90", "exclusive": True, "requeue": False, "nice": "-5"}
    assert found.slurm.output == "a%j"


def test_secrets_limits_mounts(target):
    found = target(
        "secrets: {A: {}, B: {required: false, file: '${{ env.HOME }}/b'}}\nulimits: {nofile: 65535, core: unlimited}\n"
        "mounts: [{source: '${{ env.HOME }}/d', target: /d}, {source: /e, target: /e, mode: ro, shared: true}]\n"
        "expose: [8265]\n"
    )
    assert [(s.name, s.required, s.file is None) for s in found.secrets] == [("A", True, True), ("B", False, False)]
    assert found.ulimits == (("nofile", "65535"), ("core", "unlimited"))
    assert [(m.place, m.mode, m.shared) for m in found.mounts] == [("/d", "rw", False), ("/e", "ro", True)]
    assert found.expose == (8265,)


def test_spans_by_path(target):
    found = target("slurm:\n  time: 90\nenv: {A: x}\n")
    assert found.span("slurm.time").line == 4
    assert found.span("slurm.partition").line == 3
    assert found.span("env.A") == Span("m.yaml", 5, 10, 5, 11)
    assert found.span("driver.command.1").line == 6


def test_all_findings_of_a_stage_at_once(errors):
    found = errors("env: {A: , B: []}\nresources: {nodes: two, gpu: 1}\nslrm: {}\n")
    assert {entry[0] for entry in found} == {"MN101", "MN103", "MN106"}
    assert [entry[1] for entry in found] == sorted(entry[1] for entry in found)
    later = errors("workdir: /${{ nope }}\nhost_setup: 'a ${{ head_ip }}'\ndriver: {command: a | b}\n")
    assert {entry[0] for entry in later} == {"MN108", "MN109", "MN117"}


def test_values_from_placeholders_are_judged_too(errors):
    found = errors("vars: {t: soon, p: a b}\nslurm: {time: '${{ vars.t }}', partition: '${{ vars.p }}'}\n")
    assert [entry[:2] for entry in found] == [("MN104", 4), ("MN104", 4)]


@pytest.mark.parametrize("text", ['"a\\0b"', '"a\\x00b"'])
def test_nul_is_refused(errors, text):
    assert errors(f"env: {{X: {text}}}\n")[0][0] == "MN104"


def test_driver_may_be_the_targets_own_but_must_be_somewhere(loaded, errors):
    head = "apiVersion: mngen/v1\nname: x\n"
    assert loaded(head + "targets: {t: {kind: slurm, driver: {command: [a]}}}\n#driver:").manifest is not None
    assert errors(head + "targets: {t: {kind: slurm}}\n#driver:")[0][0] == "MN105"


def test_only_the_asked_targets(loaded):
    fields = "targets: {a: {kind: slurm}, b: {kind: slurm}, c: {kind: slurm}}\n"
    found = loaded(fields, targets=("c", "a"))
    assert [t.name for t in found.manifest.targets] == ["a", "c"]
    assert list(found.trees) == ["a", "c"]
    unknown = loaded(fields, targets=("d",))
    assert (unknown.manifest, unknown.diagnostics[0].code) == (None, "MN111")


def test_file_names():
    text = "apiVersion: mngen/v1\nname: x\ndriver: {command: [a]}\ntargets: {t: {kind: slurm}}\n"
    assert load(text, "a/b.yaml").manifest.file_name == "b.yaml"
    assert load(text, "<stdin>").manifest.file_name == "manifest.yaml"


@pytest.mark.parametrize(
    ("wanted", "release", "accepted"),
    [
        (">=0.1,<0.2", "0.1.0", True),
        (">=0.1,<0.2", "0.1.9rc1", True),
        (">=0.1,<0.2", "0.2.0", False),
        ("==0.1.*", "0.1.7", True),
        ("==0.1.*", "0.2.0", False),
        ("!=0.1.*", "0.2.0", True),
        ("==0.1", "0.1.0", True),
        ("!=0.1", "0.1.0", False),
        ("~=0.1.2", "0.1.9", True),
        ("~=0.1.2", "0.2.0", False),
        ("~=0.1", "0.9", True),
        (">0.1", "0.1.0", False),
        (" >= 0.1 , < 1 ", "0.5", True),
    ],
)
def test_release_ranges(wanted, release, accepted):
    node = Node(quoted_scalar(wanted), Span("m.yaml", 1, 1))
    found = release_finding(node, release)
    assert (found is None) == accepted
    assert found is None or (found.code, release in found.message) == ("MN118", True)


def test_a_release_that_is_not_accepted_is_all_that_is_told(errors):
    assert [entry[0] for entry in errors('mngen: ">=99"\nnew_field: 1\n')] == ["MN118"]
