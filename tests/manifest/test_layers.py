"""Layers: what overrides what, and where each effective value came from."""

from __future__ import annotations

import pytest

from mngen.manifest.merge import origins
from mngen.manifest.shown import shown

SITE = "slurm: {partition: site}\nenv: {S: site, E: site}\n"
OVERLAY = "env: {E: overlay}\ntargets: {t: {env: {T: overlay}}}\n"


def env(target):
    return {name: text.literal for name, text in target.env}


def test_order(target):
    fields = (
        "env: {B: base, T: base, S: base, E: base, X: base}\n"
        "targets: {t: {kind: slurm, site: s.yaml, env: {T: target, S: target, E: target}}}\n"
    )
    found = target(fields, "env.X=set", overlays=(("o.yaml", OVERLAY),), files={"s.yaml": SITE})
    assert env(found) == {"B": "base", "T": "overlay", "S": "target", "E": "overlay", "X": "set"}
    assert found.slurm.fields == {"partition": "site"}


def test_later_overlays_and_settings_win(target):
    overlays = (("a.yaml", "env: {A: '1', B: '1'}\n"), ("b.yaml", "env: {B: '2', C: '2'}\n"))
    assert env(target("env: {A: '0'}\n", "env.C=3", "env.C=4", overlays=overlays)) == {"A": "1", "B": "2", "C": "4"}


def test_settings_for_one_target(loaded):
    fields = "targets: {a: {kind: slurm}, b: {kind: slurm}}\n"
    found = loaded(fields, "resources.nodes=2", "targets.b.resources.nodes=3").manifest
    assert [t.resources.nodes for t in found.targets] == [2, 3]


def test_lists_and_scalars_replace_and_extra_args_append(target):
    fields = (
        "driver: {command: [p], args: [a], extra_args: [x]}\nunset_env: [A]\n"
        "targets: {t: {kind: slurm, unset_env: [B], driver: {args: [b], extra_args: [y]}}}\n"
    )
    found = target(fields, "driver.extra_args=[z, 1e-6]")
    assert [word.literal for word in found.driver.argv] == ["p", "b", "x", "y", "z", "1e-6"]
    assert found.unset_env == ("B",)


def test_choices_replace_each_other(target):
    fields = (
        "resources: {memory: {per_cpu: 4G}, cpus: 2}\ncode: {git: 'https://h/r', ref: v1, to: /code}\n"
        "services: {s: {command: [x], port: auto, ready: {http: /h, timeout: 9}}}\n"
        "driver: {command: [p], runtime_env: {file: r.yaml}, submit: ray-job}\n"
        "targets: {t: {kind: slurm, resources: {memory: {per_gpu: 9G}, gpus: 1}, code: {path: .},"
        " services: {s: {ready: {tcp: true}}}, driver: {runtime_env: {pip: [x]}}}}\n"
    )
    found = target(fields)
    assert (found.resources.memory.per_cpu, found.resources.memory.per_gpu) == (None, "9G")
    assert (found.code.path, found.code.git, found.code.ref, found.code.to) == (".", None, None, "/code")
    ready = found.services[0].ready
    assert (ready.tcp, ready.http, ready.timeout) == (True, None, 9)
    assert (found.driver.runtime_env.file, found.driver.runtime_env.pip) == (None, ("x",))


DESCRIBED = (
    "image: {repository: h/r, variants: {cuda: {tag: a, base: 'nvidia/cuda:12.8.1-devel-ubuntu24.04'}}, apt: [git]}\n"
)


@pytest.mark.parametrize(
    ("own", "ready", "built"),
    [
        ("{}", None, True),
        ("{ref: 'a:b'}", "ref", False),
        ("{sqsh: /a.sqsh}", "sqsh", False),
        ("{sif: /a.sif}", "sif", True),
        ("{apt: [curl]}", None, True),
    ],
)
def test_ready_and_described_images(loaded, own, ready, built):
    runtime = "pyxis" if ready == "sqsh" else "apptainer"
    found = loaded(DESCRIBED + f"targets: {{t: {{kind: slurm, runtime: {runtime}, image: {own}}}}}\n")
    one = found.manifest.targets[0]
    assert (None if one.image is None else next(k for k in ("ref", "sif", "sqsh") if getattr(one.image, k))) == ready
    assert (one.built_image is not None) == built
    assert [variant.value for variant in found.manifest.images] == ["cuda"]


def test_a_ready_image_below_gives_way(target):
    found = target("image: {ref: 'a:b'}\ntargets: {t: {kind: slurm, runtime: apptainer, image: {sif: /x.sif}}}\n")
    assert found.image.ref is None
    assert found.image.sif.literal == "/x.sif"


def test_an_image_section_is_one_or_the_other(errors):
    found = errors("image: {ref: 'a:b', apt: [git]}\n")
    assert found[0][0] in {"MN103", "MN104"}, found


def test_targets_agree_on_an_image_or_do_not_share_it(errors):
    fields = DESCRIBED + (
        "targets: {a: {kind: slurm, runtime: docker}, b: {kind: slurm, runtime: docker, image: {apt: [curl]}}}\n"
    )
    assert [entry[0] for entry in errors(fields)] == ["MN115"]


def test_a_variant_that_is_not_described(errors):
    found = errors(DESCRIBED + "targets: {t: {kind: slurm, runtime: docker, variant: rocm}}\n")
    assert [(entry[0], "rocm" in entry[2], "variant: cuda" in entry[3]) for entry in found] == [("MN105", True, True)]


def test_origins(loaded):
    fields = "env: {A: '1'}\ndriver: {command: [p], extra_args: [x]}\ntargets: {t: {kind: slurm, site: s.yaml, env: {B: '1'}}}\n"
    found = loaded(fields, "driver.extra_args=[z]", overlays=(("o.yaml", OVERLAY),), files={"s.yaml": SITE})
    origin = origins(found.trees["t"])
    layers = {path: (one.layer, one.span.file) for path, one in origin.items()}
    assert layers["env.A"] == ("manifest", "m.yaml")
    assert layers["env.B"] == ("target", "m.yaml")
    assert layers["env.S"] == ("site", "s.yaml")
    assert layers["env.E"] == ("overlay", "o.yaml")
    assert layers["env.T"] == ("overlay", "o.yaml")
    assert layers["driver.extra_args.0"] == ("manifest", "m.yaml")
    assert layers["driver.extra_args.1"] == ("--set", "--set")
    assert set(found.sources) == {"m.yaml", "o.yaml", "s.yaml", "--set"}


def test_effective_data_keeps_spellings(loaded):
    found = loaded("env: {A: 1e-6, B: 0755, C: NO, D: 1_000, E: true, F: 2}\n")
    assert shown(found.trees["t"])["env"] == {"A": "1e-6", "B": "0755", "C": "NO", "D": "1_000", "E": True, "F": 2}


def test_an_overlay_may_add_a_target_and_change_names(loaded):
    overlay = ("o.yaml", "name: other\nvars: {v: new}\ntargets: {u: {kind: manual}}\n")
    found = loaded("vars: {v: old}\ndriver: {command: ['${{ vars.v }}']}\n", overlays=(overlay,)).manifest
    assert (found.name, [t.name for t in found.targets]) == ("other", ["t", "u"])
    assert found.targets[0].driver.command[0].literal == "new"


def test_digest_follows_values_and_not_layout(loaded):
    one = loaded("env: {A: '1', B: x}\n").manifest.digest
    assert loaded("env:\n  A: '1'   # note\n  B: x\n").manifest.digest == one
    assert loaded("env: {A: 1, B: x}\n").manifest.digest != one
    assert loaded("env: {A: '1', B: y}\n").manifest.digest != one
    assert loaded("env: {A: '1', B: x}\n", targets=("t",)).manifest.digest == one


@pytest.mark.parametrize(
    ("files", "target", "code", "file"),
    [
        ({}, "site: s.yaml", "MN113", "m.yaml"),
        ({"s.yaml": "a: ["}, "site: s.yaml", "MN100", "s.yaml"),
        ({"s.yaml": "slurm: {partiton: x}"}, "site: s.yaml", "MN101", "s.yaml"),
        ({"s.yaml": "site: t.yaml"}, "site: s.yaml", "MN113", "s.yaml"),
        ({"s.yaml": ""}, "site: s.yaml", "MN106", "s.yaml"),
    ],
)
def test_site_files(loaded, files, target, code, file):
    found = loaded(f"targets: {{t: {{kind: slurm, {target}}}}}\n", files=files)
    assert (found.diagnostics[0].code, found.diagnostics[0].span.file) == (code, file)


@pytest.mark.parametrize("path", ["~/s.yaml", "''"])
@pytest.mark.parametrize("sets", [(), ("targets.t.site={}",), ("site={}",)])
def test_a_site_path_that_cannot_be_one_is_told_once(loaded, path, sets):
    own = "" if sets else f", site: {path if path.startswith(chr(39)) else repr(path)}"
    found = loaded(f"targets: {{t: {{kind: slurm{own}}}, u: {{kind: slurm}}}}\n", *(s.format(path) for s in sets))
    spans = [finding.span for finding in found.diagnostics]
    assert found.manifest is None
    assert len(spans) == len(set(spans))


@pytest.mark.parametrize("value", ["1", "x", "[a]", "true", "''"])
@pytest.mark.parametrize("name", ["t", "other"])
def test_a_target_that_is_no_map_is_told_once(loaded, value, name):
    """Whatever its kind may have been: each kind has an example of its own for the same mistake."""
    text = "targets: {t: {kind: slurm}}\n"
    set_ = loaded(text, f"targets.{name}={value}")
    over = loaded(text, overlays=[("o", f"targets: {{{name}: {value}}}\n")])
    own = loaded(f"targets: {{{name}: {value}}}\n")
    for found in (set_, over, own):
        told = [finding.message for finding in found.diagnostics if f"`targets.{name}`" in finding.message]
        assert len(told) == len(set(told)) == 1


@pytest.mark.parametrize(
    ("kind", "field"), [("dstack", "slurm: {partition: x}"), ("skypilot", "host_setup: x"), ("manual", "slurm: {}")]
)
def test_a_field_of_another_kind_is_told_by_where_it_stands(loaded, kind, field):
    text = f"targets: {{t: {{kind: slurm, {field}}}}}\n"
    (found,) = [d for d in loaded(text, f"targets.t.kind={kind}").diagnostics if d.code == "MN101"]
    assert found.message == f"unknown key `{field.split(':')[0]}` in a target of kind {kind}"
    assert found.hint.startswith(f"a {kind} target does not take it; these kinds do: slurm")
    in_file = loaded("targets: {t: {kind: slurm, site: s.yaml}}\n", files={"s.yaml": "slurn: {}"})
    assert [d.message for d in in_file.diagnostics] == ["unknown key `slurn` in a site file"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("targets: {1: {kind: slurm}}", "expected a target name: lower-case letters, digits and `-`, beginning with"),
        ("targets: {t: {kind: slurm, env: {1: x}}}", "expected"),
        ("env: {1: x}", "expected"),
        ("services: {1: {command: x}}", "expected"),
        ("targets: {t: {kind: slurm, slurm: {raw: {1: x}}}}", 'write "1" in quotes'),
        ("targets: {true: {kind: slurm}}", 'write "true" in quotes'),
    ],
)
def test_a_key_that_is_no_text_is_not_told_to_become_what_is_refused_too(loaded, text, hint):
    found = next(d for d in loaded(text + "\n").diagnostics if "is not text" in d.message)
    assert found.hint.startswith(hint)
    if hint.startswith("write"):
        return
    quoted = loaded(text.replace("{1:", '{"1":') + "\n").diagnostics
    assert found.hint in {d.hint for d in quoted}


def test_site_file_that_is_no_text(loaded):
    class Bytes(dict):
        def __getitem__(self, key):
            return b"\xff".decode()

    found = loaded("targets: {t: {kind: slurm, site: s.yaml}}\n", files=Bytes({"s.yaml": ""}))
    assert "UTF-8" in found.diagnostics[0].message


def test_site_path_may_hold_a_variable(target):
    fields = "vars: {c: one}\ntargets: {t: {kind: slurm, site: '${{ vars.c }}.yaml'}}\n"
    assert target(fields, files={"one.yaml": SITE}).slurm.fields == {"partition": "site"}


def test_a_target_has_variables_of_its_own(loaded):
    fields = (
        "vars: {data: /top, site: /top, exp: top}\n"
        "driver: {command: [p, '${{ vars.data }}', '${{ vars.site }}', '${{ vars.exp }}', '${{ vars.more }}']}\n"
        "targets:\n  t: {kind: slurm, site: s.yaml, vars: {data: '/own/${{ vars.exp }}', more: 1e-6}}\n"
        "  u: {kind: manual, vars: {more: ''}}\n"
    )
    site = "vars: {data: /site, site: /site}\n"
    found = loaded(fields, "vars.exp=set", files={"s.yaml": site}).manifest
    words = [[word.literal for word in one.driver.command[1:]] for one in found.targets]
    assert words == [["/own/set", "/site", "set", "1e-6"], ["/top", "/top", "set", ""]]


def test_a_target_names_its_site_file_by_its_own_variables(target):
    fields = "vars: {c: one}\ntargets: {t: {kind: slurm, vars: {c: two}, site: '${{ vars.c }}.yaml'}}\n"
    assert target(fields, files={"two.yaml": SITE}).slurm.fields == {"partition": "site"}


def test_a_variable_of_another_target_is_none(errors):
    fields = "driver: {command: [p, '${{ vars.d }}']}\ntargets: {t: {kind: slurm, vars: {d: x}}, u: {kind: manual}}\n"
    ((code, _, message, _),) = errors(fields)
    assert (code, message) == ("MN108", "target `u` has no `vars.d`: it is one of target `t`")


def test_targets_that_describe_different_images_by_their_variables(errors):
    fields = (
        "image: {repository: r/i, variants: {cuda: {tag: '${{ vars.v }}', base: 'ubuntu:24.04'}}}\n"
        "targets: {t: {kind: dstack, vars: {v: a}}, u: {kind: dstack, vars: {v: b}}}\n"
    )
    assert [code for code, *_ in errors(fields)] == ["MN115"]


def test_every_variable_that_nothing_reads_is_noted_where_it_is_set(loaded):
    fields = "vars: {a: 1}\ntargets: {t: {kind: slurm, site: s.yaml, vars: {b: 2}}}\n"
    found = loaded(fields, files={"s.yaml": "vars: {c: 3}\n"})
    noted = [(one.message, one.span.file) for one in found.diagnostics if one.code == "MN121"]
    assert noted == [(f"nothing reads `vars.{n}`", f) for n, f in (("a", "m.yaml"), ("b", "m.yaml"), ("c", "s.yaml"))]


def test_shared_fields_that_a_kind_has_no_use_for_are_no_error(loaded):
    found = loaded("slurm: {partition: x}\nhost_setup: module load x\ntargets: {t: {kind: skypilot}}\n")
    assert not [d for d in found.diagnostics if d.code.startswith("MN1")]


def test_a_raw_directive_may_be_pasted_with_its_sbatch(target):
    fields = (
        "driver: {command: [p]}\ntargets: {t: {kind: slurm, slurm: {extra: ['#SBATCH --account=a', ' -C', ' b ']}}}\n"
    )
    assert target(fields).slurm.extra == ("--account=a", "-C", " b ")
