"""Values in the shape of another tool are written again in the manifest's own, with the user's own text."""

from __future__ import annotations

import re

import pytest

from mngen.manifest.load import load
from mngen.report.conceal import conceal

HEAD = "apiVersion: mngen/v1\nname: x\ntargets: {a: {kind: slurm}}\n"

CASES = {
    "mounts: ['/a:/b:ro']": "write `{source: /a, target: /b, mode: ro}`",
    "mounts: ['/a:/b:rw,z']": "write `{source: /a, target: /b}`",
    "mounts: ['/a']": "write `{source: /a, target: /a}`",
    "mounts: ['s3://bucket/x:/b']": "write `{source: s3://bucket/x, target: /b}`",
    "mounts: ['${{ env.HOME }}/a:/b']": 'write `{source: "${{ env.HOME }}/a", target: /b}`',
    "mounts: [nothing]": "for example `{source: /data, target: /workspace/data, mode: ro}`",
    "mounts: {/a: /b, /c: /d}": "write `mounts: [{source: /a, target: /b}, {source: /c, target: /d}]`",
    "mounts: {source: /a, target: /b}": "write the map as an item of a list: `mounts: [{source: /a, target: /b}]`",
    "mounts: /a:/b": "write `mounts: [{source: /a, target: /b}]`",
    "env: [A=1]": 'write `env: {A: "1"}`',
    'env: ["A=1", "B=x=y z"]': 'write `env: {A: "1", B: "x=y z"}`',
    "env: [A: 1, B: 1e-6]": 'write `env: {A: "1", B: "1e-6"}`',
    "env: A=1": 'write `env: {A: "1"}`',
    "env: [A]": ...,
    "secrets: {K: not-shown}": "write `K: {}`: only the name stands here, the value stays in your shell",
    "secrets: [A, B]": "write `secrets: {A: {}, B: {}}`: only names stand here, values stay in your shell",
    "secrets: [A: b]": "write `secrets: {A: {}}`: only names stand here, values stay in your shell",
    "secrets: A": "write `secrets: {A: {}}`: only names stand here, values stay in your shell",
    "services: {a: {command: [s], port: auto, ready: /health}}": "write `ready: {http: /health}`",
    "services: {a: {command: [s], port: auto, ready: 'http://localhost:80/health'}}": "write `ready: {http: /health}`",
    "services: {a: {command: [s], port: auto, ready: true}}": "write `ready: {tcp: true}`",
    "services: {a: {command: [s], ready: [test, -e, /x]}}": 'write `ready: {command: [test, "-e", /x]}`',
    "services: {a: [s, t]}": "write `a: {command: [s, t]}`",
    "services: {a: {command: [s], env: [A=1]}}": 'write `env: {A: "1"}`',
    "services: [{name: a, command: [s]}]": "write `services: {a: {…}}`, each by its name",
    "driver: python3 t.py --lr 1": 'write `driver: {command: "python3 t.py --lr 1"}`',
    "driver: [python3, t.py]": "write `driver: {command: [python3, t.py]}`",
    "driver: |\n  python3 t.py\n  --lr 1": (
        "write `driver:`, `command: |` below it, and these lines below that, each indented"
    ),
    "driver: {command: [p], args: [trainer.nnodes: 4]}": "write `trainer.nnodes=4`, or quotes around the text if the colon is part of it",
    "driver: {command: [p], args: [+a.b: 1e-6]}": "write `+a.b=1e-6`, or quotes around the text if the colon is part of it",
    "driver: {command: [p], args: [a: {b: c}]}": (
        "`a: …` reads as a map: put the whole text in quotes, or use a `|` block"
    ),
    "driver: {command: [p], args: {trainer.nnodes: 4, b: c}}": "write `args: [trainer.nnodes=4, b=c]`",
    "driver: {command: [p], args: --lr 1}": 'write `args: ["--lr", "1"]`',
    "driver: {command: [p], args: a | b}": "write a list: `['…', '…']`, or one `- …` on each line",
    "ray: {start_args: --verbose}": 'write `start_args: ["--verbose"]`',
    "prepare: [python3 a.py]": 'write `{run: "python3 a.py"}`',
    "prepare: python3 a.py": 'write `prepare: [{run: "python3 a.py"}]`',
    "prepare: {run: a}": "write the map as an item of a list: `prepare: [{run: a}]`",
    "code: .": "write `code: {path: .}`",
    "code: https://example.org/a": "write `code: {git: https://example.org/a, ref: COMMIT}`",
    "network: ib": "write `network: {fabric: ib}`",
    "network: infiniband": "write `network: {fabric: ib}`",
    "network: eth0": "for example `{family: auto, interface: ib0, fabric: ib}`",
    "retry: 3": "write `retry: {max: 3}`",
    "ray: 2.50.0": "write `ray: {version: 2.50.0}`",
    "resources: [nodes: 2, gpus: 8]": "write its keys without dashes: a map has none",
    "services: {a: {command: [s], on: all}}": "write `every-node`",
    "env: {NCCL_IB_HCA: mlx5_0,mlx5_1}": (
        'a comma ends a value between `{` and `}`: write `NCCL_IB_HCA: "mlx5_0,mlx5_1"`'
    ),
    "slurm: {nodelist: n1,n2}": 'a comma ends a value between `{` and `}`: write `nodelist: "n1,n2"`',
    "env: {A: 1, B: }": ...,
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_the_hint_is_the_mend(judge, text):
    (found,) = judge(f"{HEAD}{text}\n")
    assert CASES[text] is ... or found.hint == CASES[text]
    assert "a comma" not in found.hint or "," in text


@pytest.mark.parametrize("text", CASES)
def test_what_a_hint_writes_is_accepted(judge, text):
    """One step, not two: the hint of a whole field can be put in its place as it is."""
    key = text.partition(":")[0]
    written = re.search(rf"`({key}: [^`…]*)`", CASES[text] if CASES[text] is not ... else "")
    if written:
        assert judge(f"{HEAD}{written[1]}\n") == []


AS_TEXT = {
    "env: {DATA: ${SCRATCH}/x}": (
        "MN100", 'no shell reads a value, and `{` must be in quotes: write "${{ env.SCRATCH }}/x"',
    ),
    "env: {A: b, DATA: /x/${USER}/y, C: d}": (
        "MN100", 'no shell reads a value, and `{` must be in quotes: write "/x/${{ env.USER }}/y"',
    ),
    "env: {CUDA_VISIBLE_DEVICES: 0,1}": (
        "MN103", 'a comma ends a value between `{` and `}`: write `CUDA_VISIBLE_DEVICES: "0,1"`',
    ),
    "env: {A: x, CUDA_VISIBLE_DEVICES: 0,1,2,3, B: 1}": (
        "MN103", 'a comma ends a value between `{` and `}`: write `CUDA_VISIBLE_DEVICES: "0,1,2,3"`',
    ),
    "env: {A: 1, 2: b}": ("MN103", "expected a variable name: letters, digits and `_`, not beginning with a digit"),
    "env:\n  A: x\n  1:": ("MN103", "expected a variable name: letters, digits and `_`, not beginning with a digit"),
    "workdir: '${{ HOME }}/x'": ("MN108", "write `${{ env.HOME }}` for a variable"),
    "workdir: '${{ NODES }}'": ("MN108", "did you mean `nodes`?"),
}  # fmt: skip


@pytest.mark.parametrize("text", AS_TEXT)
def test_what_is_found_before_or_after_the_schema(text):
    found = load(f"{HEAD}driver: {{command: [p]}}\n{text}\n", "m.yaml").diagnostics
    assert {(one.code, one.hint) for one in found} == {AS_TEXT[text]}


@pytest.mark.parametrize("text", ["secrets: {HF_TOKEN: hf_abcdefghij}", "env: ['HF_TOKEN=hf_abcdefghij']"])
def test_no_hint_repeats_a_secret(text):
    loaded = load(f"{HEAD}{text}\n", "m.yaml")
    found, _ = conceal(loaded.diagnostics, loaded.sources)
    assert found
    assert not [one for one in found if "hf_abc" in f"{one.message}{one.hint}"]


def test_a_hint_stays_short(judge):
    (found,) = judge(f"{HEAD}driver: python3 {'x' * 300}\n")
    assert len(found.hint) < 150
