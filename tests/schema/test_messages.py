"""What is said about a mismatch, and where."""

from __future__ import annotations

import textwrap

import pytest

HEAD = "apiVersion: mngen/v1\nname: x\ntargets: {a: {kind: slurm}}\n"

CASES = {
    # code, line:column, message, hint
    "resources: {nodes: 0}": ("MN104", "4:20", "`resources.nodes` cannot be 0", "expected a whole number from 1 to 100000"),
    'resources: {gpus: "8"}': ("MN103", "4:19", "`resources.gpus` must be a whole number, but is the text `8`", "remove the quotes"),
    "resources: {cpus: 9_6}": ("MN103", "4:19", "`resources.cpus` must be a whole number, but is the text `9_6`", "write `96`"),
    "resources: {cpus: 8+}": (
        "MN103", "4:19", "`resources.cpus` must be a whole number, but is the text `8+`",
        "write `8`: SkyPilot is asked for at least as many, and Ray gets these; for all that there are, only raw: {resources: {cpus: 8+}}",
    ),
    "mounts: [{source: 's3://b/x', target: /x, mode: MOUNT}]": (
        "MN104", "4:49", "`mounts[0].mode` cannot be `MOUNT`", "write `rw`, which mounts a bucket",
    ),
    "resources: {cpus: 8.0}": ("MN103", "4:19", "`resources.cpus` must be a whole number, but is the number 8.0", "write `8`"),
    "resources: {nodes: true}": ("MN103", "4:20", "`resources.nodes` must be a whole number, but is `true`", "for example `2`"),
    "resources: {nodes: '${{ vars.n }}'}": (
        "MN103", "4:20", "`resources.nodes` must be a whole number, but is the text `${{ vars.n }}`",
        "only a field of text can hold a placeholder",
    ),
    "resources: {memory: 64}": (
        "MN104", "4:21", "`resources.memory` cannot be 64",
        "expected a size in whole numbers such as `64G` or `1500G`, at least a size (`64G+`), `0` for all of the node, or `{per_cpu: SIZE}` or `{per_gpu: SIZE}`",
    ),
    "resources: {memory: {per_cpu: 1G, per_gpu: 2G}}": (
        "MN104", "4:13", "`resources.memory` has 2 keys, but takes 1", "keep one of `per_cpu` and `per_gpu`",
    ),
    "resources: {shm: 128g}": ("MN104", "4:18", "`resources.shm` cannot be `128g`", "did you mean `128G`?"),
    **{
        f"resources: {{gpu_type: {spelled}}}": (
            "MN104",
            "4:23",
            f"`resources.gpu_type` cannot be `{spelled}`",
            f"did you mean `{model}`?",
        )
        for spelled, model in {
            "NVIDIA A100": "a100",
            "NVIDIA A100 80GB": "a100",
            "H100 SXM": "h100",
            "NVIDIA RTX A6000": "rtxa6000",
            "AMD Instinct MI300X": "mi300x",
        }.items()
    },
    "slurm: {srun_args: ['']}": ("MN106", "4:21", "`slurm.srun_args[0]` is empty", "for example `--gpu-bind=none`"),
    "resources: {gpus_per_node: 8}": ("MN101", "4:13", "unknown key `gpus_per_node` in `resources`", "did you mean `gpus`?"),
    "resources: {mem: 8}": ("MN101", "4:13", "unknown key `mem` in `resources`", "did you mean `memory`?"),
    "resource: {}": ("MN101", "4:1", "unknown key `resource` in the manifest", "did you mean `resources`?"),
    "sbatch: {}": ("MN101", "4:1", "unknown key `sbatch` in the manifest", "did you mean `slurm`?"),
    "module: cuda": ("MN101", "4:1", "unknown key `module` in the manifest", "did you mean `host_setup`?"),
    "frobnicate: {}": ("MN101", "4:1", "unknown key `frobnicate` in the manifest", "`mngen explain` lists the keys"),
    "partition: gpu": ("MN101", "4:1", "unknown key `partition` in the manifest", "it belongs at `slurm.partition`"),
    "kind: slurm": ("MN101", "4:1", "unknown key `kind` in the manifest", "`kind` belongs in a target"),
    "slurm: {partiton: gpu}": ("MN101", "4:9", "unknown key `partiton` in `slurm`", "did you mean `partition`?"),
    "slurm: {time-min: 3}": ("MN101", "4:9", "unknown key `time-min` in `slurm`", "did you mean `time_min`?"),
    "slurm: {zzz: 1}": ("MN101", "4:9", "unknown key `zzz` in `slurm`", "`mngen explain slurm` lists the keys"),
    "slurm: {time_limit: '1:00:00'}": ("MN101", "4:9", "unknown key `time_limit` in `slurm`", "did you mean `time`?"),
    "slurm: {ntasks_per_node: 1}": ("MN101", "4:9", "unknown key `ntasks_per_node` in `slurm`", "leave it out: one task on each node starts Ray, which starts the workers"),
    "slurm: {tasks-per-node: 4}": ("MN101", "4:9", "unknown key `tasks-per-node` in `slurm`", "leave it out: one task on each node starts Ray, which starts the workers"),
    "slurm: {mem_per_cpu: 4G}": ("MN101", "4:9", "unknown key `mem_per_cpu` in `slurm`", "write `resources: {memory: {per_cpu: SIZE}}`"),
    "slurm: {cluster: a}": ("MN101", "4:9", "unknown key `cluster` in `slurm`", "`mngen explain slurm` lists the keys"),
    "resources: {mem-per-gpu: 4G}": ("MN101", "4:13", "unknown key `mem-per-gpu` in `resources`", "write `resources: {memory: {per_gpu: SIZE}}`"),
    "venv: .venv": ("MN101", "4:1", "unknown key `venv` in the manifest", "enter it in `setup`, such as `setup: source /path/to/venv/bin/activate`"),
    "bind: [/a]": ("MN101", "4:1", "unknown key `bind` in the manifest", "did you mean `mounts`?"),
    "services: {a: {command: [s], ports: {x: 1}}}": ("MN101", "4:30", "unknown key `ports` in `services.a`", "did you mean `port`?"),
    "driver: {command: [p], submit: ray-job, runtime_env: {pip: requirements.txt}}": (
        "MN103", "4:60", "`driver.runtime_env.pip` must be a list of text, but is the text `requirements.txt`",
        "write `['-r ${RAY_RUNTIME_ENV_CREATE_WORKING_DIR}/requirements.txt']` for the packages of a file of `working_dir`",
    ),
    "timeout: 3": ("MN101", "4:1", "unknown key `timeout` in the manifest", "`mngen explain` lists the keys"),
    "script: a": ("MN101", "4:1", "unknown key `script` in the manifest", "`mngen explain` lists the keys"),
    "slurm: {memory: 3G}": ("MN101", "4:9", "unknown key `memory` in `slurm`", "it belongs at `resources.memory`"),
    "slurm: {mail_type: end}": ("MN104", "4:20", "`slurm.mail_type` cannot be `end`", "did you mean `END`?"),
    "slurm: {exclusive: yes}": ("MN104", "4:20", "`slurm.exclusive` cannot be `yes`", "write `true`"),
    "slurm: {requeue: on}": ("MN103", "4:18", "`slurm.requeue` must be true or false, but is the text `on`", "write `true`"),
    "image: x/y:1": ("MN103", "4:8", "`image` must be a map, but is the text `x/y:1`", ...),
    "image: /i/a.sif": ("MN103", "4:8", "`image` must be a map, but is the text `/i/a.sif`", "write `image: {sif: /i/a.sif}`"),
    "image: /i/a.sqsh": ("MN103", "4:8", "`image` must be a map, but is the text `/i/a.sqsh`", "write `image: {sqsh: /i/a.sqsh}`"),
    "setup: [a b, c]": ("MN103", "4:8", "`setup` must be text, but is a list", "write `setup: |` and these lines below it, each indented, without dashes and quotes"),
    "slurm: {time: 24h}": ("MN104", "4:15", "`slurm.time` cannot be `24h`", "write `24:00:00`"),
    "slurm: {time: 1d}": ("MN104", "4:15", "`slurm.time` cannot be `1d`", "write `1-00:00:00`"),
    "slurm: {time_min: 90min}": ("MN104", "4:19", "`slurm.time_min` cannot be `90min`", "write `90`"),
    "slurm: {time: -1}": ("MN104", "4:15", "`slurm.time` cannot be `-1`", ...),
    'slurm: {comment: "a\\nb"}': ("MN104", "4:18", '`slurm.comment` cannot be `"a\\nb"`', "expected one line, without control characters"),
    "slurm: {extra: --exclude=a}": ("MN103", "4:16", "`slurm.extra` must be a list of text, but is the text `--exclude=a`", "write a list: `['…', '…']`, or one `- …` on each line"),
    'slurm: {partition: "gpu\\n"}': ("MN104", "4:20", '`slurm.partition` cannot be `"gpu\\n"`', "did you mean `gpu`?"),
    "env: {A: }": ("MN106", "4:10", "`env.A` is empty", ...),
    "env: {A: ~}": ("MN106", "4:10", "`env.A` is empty", "write `''` for an empty text, put the word in quotes if it is meant, or remove the key"),
    "env: {A: [1]}": ("MN103", "4:10", "`env.A` must be text, but is a list", "put it in quotes if this text is meant"),
    "env: {9A: 1}": ("MN104", "4:7", "`9A` cannot be a name in `env`", "expected a variable name: letters, digits and `_`, not beginning with a digit"),
    "workdir: ''": ("MN106", "4:10", "`workdir` is empty", "for example `/workspace/verl`"),
    "workdir: ~/verl": ("MN104", "4:10", "`workdir` cannot be `~/verl`", ...),
    "secrets: {A: }": ("MN106", "4:14", "`secrets.A` is empty", "write `{}` for a map without keys, or remove the key"),
    "mounts: [{target: /a}]": ("MN105", "4:10", "missing key `source` in `mounts[0]`", "for example `source: ${{ env.SCRATCH }}/hf`"),
    "prepare: [{run: a}, {when: before-ray}]": ("MN105", "4:21", "missing key `run` in `prepare[1]`", ...),
    "code: {path: ., git: 'https://x/y'}": ("MN104", "4:1", "`git` and `path` exclude each other in `code`", "keep one of them"),
    "code: {git: {url: 'https://x/y', ref: v1}}": ("MN103", "4:13", "`code.git` must be text, but is a map", "write `git: https://x/y`, and `ref: …` beside it"),
    "code: {ref: v1}": ("MN105", "4:1", "`ref` in `code` needs `git` beside it", None),
    "driver: {runtime_env: {file: a, pip: [b]}}": ("MN104", "4:10", "`file` and `pip` exclude each other in `driver.runtime_env`", "keep one of them"),
    "driver: {submit: rayjob}": ("MN104", "4:18", "`driver.submit` cannot be `rayjob`", "did you mean `ray-job`?"),
    "driver: {submit: 3}": ("MN103", "4:18", "`driver.submit` must be text, but is the number 3", "for example `ray-job`"),
    "slurm: {hint: }": ("MN106", "4:15", "`slurm.hint` is empty", ...),
    "slurm: {exclusive: 1}": ("MN103", "4:20", "`slurm.exclusive` must be true or false or text, but is the number 1", ...),
    "driver: {command: []}": ("MN106", "4:19", "`driver.command` is empty", ...),
    "driver: {command: ''}": ("MN106", "4:19", "`driver.command` is empty", ...),
    "driver: {command: 5}": ("MN103", "4:19", "`driver.command` must be text or list of text, but is the number 5", ...),
    "services: {A: {command: [a]}}": ("MN104", "4:12", "`A` cannot be a name in `services`", ...),
    "services: {a: {port: 80}}": ("MN104", "4:22", "`services.a.port` cannot be 80", "expected `auto` or a number from 1024 to 65535"),
    "services: {a: {port: any}}": ("MN104", "4:22", "`services.a.port` cannot be `any`", "expected `auto` or a number from 1024 to 65535"),
    "ulimits: {nofile: lots}": ("MN104", "4:19", "`ulimits.nofile` cannot be `lots`", "expected a whole number or `unlimited`"),
    "expose: 8265": ("MN103", "4:9", "`expose` must be a list of whole numbers, but is the number 8265", "write `[8265]`"),
    "ray: {version: v2}": ("MN104", "4:16", "`ray.version` cannot be `v2`", "expected a version such as `2.52.1`"),
    "ray: {command: ray}": ("MN103", "4:16", "`ray.command` must be a list of text, but is the text `ray`", "write `[ray]`"),
    "on_time_limit: {signal: SIGUSR1}": ("MN104", "4:25", "`on_time_limit.signal` cannot be `SIGUSR1`", "did you mean `USR1`?"),
    "retry: {max: -1}": ("MN104", "4:14", "`retry.max` cannot be -1", "expected a whole number from 0 to 10000"),
    "retry: {exit_codes: [0]}": ("MN104", "4:22", "`retry.exit_codes[0]` cannot be 0", "expected a whole number from 1 to 255"),
    "retry: {exit_codes: []}": ("MN106", "4:21", "`retry.exit_codes` is empty", "for example `[1, 75, 76]`"),
    "retry: 3": ("MN103", "4:8", "`retry` must be a map, but is the number 3", "write `retry: {max: 3}`"),
    "on_time_limit: {before: 65536}": ("MN104", "4:25", "`on_time_limit.before` cannot be 65536", "expected a whole number from 1 to 65535"),
    "mngen: 0.1": ("MN103", "4:8", "`mngen` must be text, but is the number 0.1", "for example `>=0.1,<0.2`"),
}  # fmt: skip


LARGE = {
    "resources: {nodes: %s}": "`resources.nodes` must be a whole number, but this one is too large: 5000 digits",
    'resources: {nodes: "%s"}': "`resources.nodes` must be a whole number, but this one is too large: 5000 digits",
    "resources: {nodes: -%s}": "`resources.nodes` must be a whole number, but this one is too large: 5000 digits",
    "resources: {nodes: +%s}": "`resources.nodes` must be a whole number, but this one is too large: 5000 digits",
    "expose: [%s]": "`expose[0]` must be a whole number, but this one is too large: 5000 digits",
}


@pytest.mark.parametrize("text", LARGE)
def test_a_number_beyond_all_is_too_large_and_its_quotes_do_not_matter(judge, text):
    (found,) = judge(HEAD + text % ("9" * 5000) + "\n")
    assert (found.code, found.message) == ("MN103", LARGE[text])
    assert "quotes" not in (found.hint or "")
    assert len(found.hint or "") < 100


@pytest.mark.parametrize("text", CASES)
def test_one_mismatch(judge, text):
    code, place, message, hint = CASES[text]
    (found,) = judge(HEAD + text + "\n")
    assert (found.code, found.message) == (code, message)
    assert f"{found.span.line}:{found.span.column}" == place
    assert hint is ... or found.hint == hint


def targets(text):
    return "apiVersion: mngen/v1\nname: x\ntargets:\n" + textwrap.indent(text, "  ") + "\n"


TARGETS = {
    "a: {}": ("MN105", "missing key `kind` in `targets.a`", "for example `kind: slurm`"),
    "a: {site: s.yaml}": ("MN105", "missing key `kind` in `targets.a`", "write it in the target itself, such as `kind: slurm`: a site file is read for a kind that is known"),
    "a: {kind: slrum}": ("MN104", "`targets.a.kind` cannot be `slrum`", "did you mean `slurm`?"),
    "a: {kind: pbs}": ("MN104", "`targets.a.kind` cannot be `pbs`", "expected one of `slurm`, `skypilot`, `dstack` and `manual`"),
    "a: {kind: skypilot, slurm: {time: 3}}": ("MN101", "unknown key `slurm` in `targets.a`", "a skypilot target does not take it; these kinds do: slurm"),
    "a: {kind: slurm, raw: {}}": ("MN101", "unknown key `raw` in `targets.a`", "a slurm target does not take it; these kinds do: skypilot, dstack"),
    "a: {kind: slurm, partition: gpu}": ("MN101", "unknown key `partition` in `targets.a`", "it belongs at `slurm.partition`"),
    "a: {kind: slurm, name: b}": ("MN101", "unknown key `name` in `targets.a`", "`name` belongs at the top level of the manifest"),
    "a: {kind: slurm, slurm: {tiem: 3}}": ("MN101", "unknown key `tiem` in `targets.a.slurm`", "did you mean `time`?"),
    "a: {kind: slurm, zzz: 3}": ("MN101", "unknown key `zzz` in `targets.a`", "`mngen explain` lists the keys"),
    "a: {kind: slurm, runtime: shifter}": ("MN104", "`targets.a.runtime` cannot be `shifter`", 'write `prefix`, with `container: {prefix: [shifter, "--image=…"]}`'),
    "A: {kind: slurm}": ("MN104", "`A` cannot be a name in `targets`", ...),
    f"{'a' * 64}: {{kind: slurm}}": ("MN104", f"`{'a' * 60}…` cannot be a name in `targets`", "expected at most 63 characters"),
}  # fmt: skip


@pytest.mark.parametrize("text", TARGETS)
def test_one_mismatch_in_a_target(judge, text):
    code, message, hint = TARGETS[text]
    (found,) = judge(targets(text))
    assert (found.code, found.message) == (code, message)
    assert hint is ... or found.hint == hint


def test_missing_top_level_keys(judge):
    found = judge("resources: {nodes: 1}\n")
    assert sorted(d.message for d in found) == [f"missing key `{key}`" for key in ("apiVersion", "name", "targets")]


def test_empty_targets(judge):
    (found,) = judge("apiVersion: mngen/v1\nname: x\ntargets: {}\n")
    assert (found.code, found.message) == ("MN106", "`targets` is empty")


def test_a_newer_version_is_the_only_complaint(judge):
    (found,) = judge("apiVersion: mngen/v2\nnew_key: 1\n")
    assert found.code == "MN114"
    assert "mngen/v2" in found.message


def test_a_wrong_apiversion_does_not_hide_the_rest(judge):
    found = judge("apiVersion: v1\nname: x\ntargets: {a: {kind: slurm}}\nfoo: 1\n")
    assert [d.code for d in found] == ["MN104", "MN101"]
    assert found[0].hint == "expected `mngen/v1`"


def test_all_findings_at_once_and_in_order(judge):
    found = judge(HEAD + "foo: 1\nresources: {nodes: 0, gpus: -1}\nenv: {A: , 1B: 2}\n")
    assert [(d.span.line, d.code) for d in found] == [
        (4, "MN101"),
        (5, "MN104"),
        (5, "MN104"),
        (6, "MN106"),
        (6, "MN104"),
    ]


ACCEPTED = [
    "slurm: {time: 90}",
    "slurm: {time: 2-00:00:00}",
    "slurm: {time: 12:30:00}",
    "slurm: {time: '${{ vars.time }}'}",
    "slurm: {job_name: 2024}",
    "slurm: {version: 24.11}",
    "slurm: {exclusive: true, requeue: false}",
    "slurm: {array: 5, dependency: afterok:12, mail_type: 'BEGIN,END', switches: 1@30}",
    "env: {LR: 1e-6, MASK: 0755, DEBUG: true, COUNTRY: NO, BIG: 1_000, EMPTY: ''}",
    "ray: {version: 2.50}",
    "resources: {memory: 0}",
    "resources: {memory: 64G+}",
    "resources: {memory: {per_gpu: 128GB}}",
    "driver: {command: python3 train.py, args: [1e-6, '', true, 3]}",
    "driver: {command: [python3, 3]}",
    "services: {a: {port: auto}, b-2_c: {port: 8000}}",
    "ulimits: {nofile: 65535, memlock: unlimited}",
    "workdir: ${{ env.HOME }}/verl",
    "setup: |\n  module load cuda\n  cd /tmp",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(judge, text):
    assert judge(HEAD + text + "\n") == []


def test_fragments_need_nothing(judge):
    assert judge("resources: {nodes: 1}\n", "overlay") == []
    assert judge("targets: {a: {slurm: {time: 3}}}\n", "overlay") == []
    assert judge("slurm: {time: 3}\nruntime: apptainer\n", "target-fields") == []


def test_fragments_are_closed_too(judge):
    assert [d.code for d in judge("targets: {a: {slrum: {time: 3}}}\n", "overlay")] == ["MN101"]
    assert [d.code for d in judge("targets: {a: {kind: manual, slurm: {time: 3}}}\n", "overlay")] == ["MN101"]
    assert [d.code for d in judge("name: x\n", "target-fields")] == ["MN101"]


def test_an_effective_target_is_whole(judge):
    found = judge("kind: slurm\nservices: {a: {port: auto}}\nendpoint: {service: a}\n", "effective")
    assert sorted(d.message for d in found) == [
        "missing key `command` in `services.a`",
        "missing key `driver`",
        "missing key `file` in `endpoint`",
    ]
