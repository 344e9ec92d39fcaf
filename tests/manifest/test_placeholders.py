"""Placeholders: where they stand, what they become, and when that is too late."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mngen.manifest.placeholders import Placeholder, split, tighten
from mngen.manifest.text import Ref, Text


def texts(values):
    return [value.literal if value.literal is not None else value.parts for value in values]


@given(st.text(alphabet="a $ {}`\\'\"\n", max_size=12).filter(lambda text: "${{" not in text))
def test_everything_else_passes_unchanged(text):
    assert "".join(split(text)) == text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("$${{ x }}", ["${{", " x }}"]),
        ("a$$${{b", ["a$${{", "b"]),
        ("${{nodes}}", [Placeholder("nodes", "${{nodes}}", 0)]),
        ("${{\tnodes }}b", [Placeholder("nodes", "${{\tnodes }}", 0), "b"]),
        ("${{ a }}${{ b.c-d }}", [Placeholder("a", "${{ a }}", 0), Placeholder("b.c-d", "${{ b.c-d }}", 1)]),
        ("${{ }}", [Placeholder(None, "${{ }}", 0)]),
        ("${{ a + b }}", [Placeholder(None, "${{ a + b }}", 0)]),
        ("${{ env.A:-16 }}", [Placeholder("env.A", "${{ env.A:-16 }}", 0, default="16")]),
        ("${{env.A:-}}", [Placeholder("env.A", "${{env.A:-}}", 0, default="")]),
        ("${{ env.A:- b:-c d }}", [Placeholder("env.A", "${{ env.A:- b:-c d }}", 0, default=" b:-c d")]),
        ("${{ nodes:-2 }}", [Placeholder(None, "${{ nodes:-2 }}", 0, default="2")]),
        ("${{ env.A-16 }}", [Placeholder("env.A-16", "${{ env.A-16 }}", 0)]),
        ("${{ env.A:=16 }}", [Placeholder(None, "${{ env.A:=16 }}", 0)]),
        ("${{ a", [Placeholder(None, "${{", 0, closed=False), " a"]),
        ("${{ a\n}}", [Placeholder(None, "${{", 0, closed=False), " a\n}}"]),
    ],
)
def test_split(text, parts):
    assert split(text) == tuple(parts)


def test_tighten_leaves_literal_ones_alone():
    assert tighten("a ${{ nodes }} $${{ nodes }} ${{  }}") == "a ${{nodes}} $${{ nodes }} ${{}}"


def test_render_names(target):
    found = target(
        "resources: {nodes: 3, gpus: 4}\n"
        "vars: {a: x, b: '${{ vars.a }}-${{ nodes }}'}\n"
        "driver: {command: [p], args: ['${{ nodes }} ${{ gpus }} ${{ total_gpus }}', '${{ name }} ${{ target }}',"
        " '${{ variant }}', '${{ vars.b }}', '$${{ vars.b }}', '$X ${a.b} `c` {{ d }}']}\n"
    )
    assert texts(found.driver.args) == ["3 4 12", "example t", "cuda", "x-3", "${{ vars.b }}", "$X ${a.b} `c` {{ d }}"]


def test_counts_are_the_targets_own(loaded):
    manifest = loaded(
        "driver: {command: ['${{ nodes }}', '${{ target }}', '${{ variant }}']}\n"
        "targets: {a: {kind: slurm}, b: {kind: manual, variant: rocm, resources: {nodes: 7}}}\n"
    ).manifest
    assert [texts(t.driver.command) for t in manifest.targets] == [["1", "a", "cuda"], ["7", "b", "rocm"]]


def test_later_names_stay_references(target):
    found = target(
        "env: {A: 'x-${{ job_id }}', B: '${{ env.A }}/${{ env.HOME }}'}\n"
        "driver: {command: ['${{ head_address }}', '${{ env.B }}']}\n"
    )
    assert dict(found.env)["B"] == Text(("x-", Ref("job_id"), "/", Ref("env.HOME")))
    assert found.driver.command == (Text((Ref("head_address"),)), dict(found.env)["B"])


def test_a_variable_that_names_itself_means_the_nodes_value(target):
    found = target("env: {PATH: '/opt/bin:${{ env.PATH }}', P2: '${{ env.PATH }}'}\n")
    assert dict(found.env)["PATH"] == Text(("/opt/bin:", Ref("env.PATH")))
    assert dict(found.env)["P2"] == Text(("/opt/bin:", Ref("env.PATH")))


def test_ports_are_written_where_they_are_fixed(target):
    found = target(
        "services: {a: {command: [x], port: auto}, b: {command: [x], port: 7000}}\n"
        "driver: {command: ['${{ services.a.port }}', '${{ services.b.port }}']}\n"
    )
    assert found.driver.command == (Text((Ref("services.a.port"),)), Text(("7000",)))


def test_known_env_is_good_enough_for_a_directive(target):
    assert target("env: {X: proj}\nslurm: {account: '${{ env.X }}'}\n").slurm.fields == {"account": "proj"}


def test_raw_is_not_interpolated(target):
    found = target("targets: {t: {kind: skypilot, raw: {a: '${{ nope', b: 1e-6}}}\n")
    assert found.raw == {"a": "${{ nope", "b": 1e-6}


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ("workdir: /${{ node }}", "MN108", ["`node`", "did you mean `nodes`?"]),
        ("workdir: /${{ vars.x }}", "MN108", ["`vars.x`"]),
        ("vars: {data: /d}\nworkdir: /${{ data }}", "MN108", ["did you mean `vars.data`?"]),
        ("workdir: /${{ env. }}", "MN110", ["is not one name"]),
        ("workdir: /${{ env.a.b }}", "MN108", ["`env.a.b`"]),
        ("workdir: /${{ nodes", "MN110", ["no `}}`", "$${{"]),
        ("workdir: /${{ nodes * 2 }}", "MN110", ["one name"]),
        (
            "slurm: {account: '${{ env.HOME }}'}",
            "MN109",
            ["`env.HOME`", "slurm.account", "sbatch reads it before", "write the value itself, or a name from `vars`"],
        ),
        ("slurm: {extra: ['-A ${{ env.HOME }}']}", "MN109", ["slurm.extra[0]", "sbatch reads it before", "`vars`"]),
        ("slurm: {comment: '${{ job_id }}'}", "MN109", ["sbatch reads it before", "the driver's command"]),
        ("env: {A: '${{ env.HOME }}'}\nslurm: {account: '${{ env.A }}'}", "MN109", ["sbatch reads it before"]),
        ("secrets: {T: {}}\nslurm: {comment: '${{ env.T }}'}", "MN109", ["remove it", "environment has T"]),
        ("secrets: {T: {}}\nslurm: {srun_args: ['--x=${{ env.T }}']}", "MN109", ["remove it", "environment has T"]),
        ("secrets: {T: {}}\nray: {temp_dir: '${{ env.T }}'}", "MN109", ["remove it", "environment has T"]),
        ("ray: {temp_dir: '${{ env.HOME }}'}", "MN109", ["give `HOME` a value of its own"]),
        ("slurm: {account: 'x${{ head_ip }}'}", "MN109", ["head", "slurm.account", "rendered"]),
        ("env: {A: '${{ node_ip }}'}\nworkdir: /${{ env.A }}", "MN109", ["`workdir`", "through `node_ip`"]),
        (
            "driver: {command: [x], submit: ray-job, runtime_env: {env_vars: {A: '${{ head_ip }}'}}}",
            "MN109",
            ["in `env`"],
        ),
        ("env: {A: '${{ env.HOME }}'}\nray: {temp_dir: '/${{ env.A }}'}", "MN109", ["through `env.HOME`"]),
        ("host_setup: echo ${{ head_ip }}", "MN109", ["`host_setup`", "`setup`"]),
        ("vars: {a: '${{ job_id }}'}", "MN109", ["vars.a"]),
        ("vars: {a: '${{ vars.b }}', b: '${{ vars.c }}', c: '${{ vars.a }}'}", "MN110", ["circle", "vars.a -> "]),
        ("env: {A: '${{ env.B }}', B: '${{ env.A }}'}", "MN110", ["circle"]),
        ("services: {s: {command: ['${{ services.s.port }}']}}", "MN108", ["has no port", "port: auto"]),
        ("vars: {d: /my files}\nsetup: cd ${{ vars.d }}", "MN116", ["'/my files'", "$NAME"]),
        ("env: {D: a;b}\nsetup: cd ${{ env.D }}", "MN116", ['"$D"']),
    ],
)
def test_refused(errors, fields, code, words):
    found = errors(fields + "\n")
    assert [entry[0] for entry in found] == [code], found
    assert all(word in found[0][2] + found[0][3] for word in words), found


def test_the_head_is_known_in_env_and_setup(target):
    found = target(
        "env: {MASTER_ADDR: '${{ head_ip }}', U: 'http://${{ env.MASTER_ADDR }}'}\nsetup: 'x ${{ env.U }}'\n"
    )
    assert dict(found.env)["U"] == Text(("http://", Ref("head_ip")))
    assert found.setup.text == Text(("x http://", Ref("head_ip")))


def test_script_takes_inert_values_and_later_names(target):
    found = target("vars: {d: /a/b-1}\nprepare: [{run: 'ls ${{ vars.d }} ${{ head_ip }}'}]\n")
    assert found.prepare[0].script.text == Text(("ls /a/b-1 ", Ref("head_ip")))


@pytest.mark.parametrize(
    ("fields", "line", "column", "end"),
    [
        ("workdir: /a/${{ nope }}/x\n", 3, 13, 24),
        ('workdir: "/${{ nodes }}/${{ nope }}"\n', 3, 25, 36),
        ("setup: |\n  a\n  echo $${{ x }} ${{ nope }}\n", 5, 18, 29),
        ("services: {s: {command: 'a ${{ nodes }} ${{ nope }}'}}\n", 3, 41, 52),
    ],
)
def test_findings_point_into_the_text(loaded, fields, line, column, end):
    span = loaded(fields).diagnostics[0].span
    assert (span.line, span.column, span.end_column) == (line, column, end)


def test_one_fault_in_a_shared_value_is_told_once(errors):
    found = errors(
        "vars: {a: '${{ nope }}'}\nenv: {A: '${{ vars.a }}', B: '${{ vars.a }}'}\n"
        "targets: {x: {kind: slurm}, y: {kind: slurm}}\n"
    )
    assert [entry[0] for entry in found] == ["MN108"]


def test_chains_and_doublings_end(errors):
    chain = ", ".join(f"v{n}: '${{{{ vars.v{n + 1} }}}}'" for n in range(1500))
    assert next(entry[0] for entry in errors(f"vars: {{{chain}, v1500: x}}\n")) == "MN110"
    double = ", ".join(f"v{n}: '${{{{ vars.v{n + 1} }}}}${{{{ vars.v{n + 1} }}}}'" for n in range(28))
    found = errors(f"vars: {{{double}, v28: x}}\n")
    assert [entry[0] for entry in found] == ["MN110"]
    assert "longer than" in found[0][2]
