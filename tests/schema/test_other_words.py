"""Words of other tools lead to the field that means them, in ``validate`` and in ``explain`` alike."""

from __future__ import annotations

import re
import textwrap

import pytest

from mngen.cli.explaining import explanation
from mngen.errors import UsageError
from mngen.manifest.other_words import ALIASES

HEAD = "apiVersion: mngen/v1\nname: x\n"

IN_A_TARGET = {
    "skypilot": {
        "use_spot: true": "write `raw: {resources: {use_spot: true}}`",
        "spot: true": "write `raw: {resources: {use_spot: true}}`",
        "infra: aws/us-east-1": "write `raw: {resources: {infra: aws/us-east-1}}`",
        "region: us-east-1": "write `raw: {resources: {region: us-east-1}}`",
        "zone: a": "write `raw: {resources: {zone: a}}`",
        "cloud: aws": "write `raw: {resources: {cloud: aws}}`",
        "instance_type: p5.48xlarge": "write `raw: {resources: {instance_type: p5.48xlarge}}`",
        "autostop: 10": "write `raw: {resources: {autostop: 10}}`",
        "max_price: 3": "write `raw: {resources: {max_hourly_cost: 3}}`",
        "priority: 3": "write `raw: {resources: {priority: 3}}`",
        "labels: {a: b}": "write `raw: {resources: {labels: {a: b}}}`",
        "config: {a: b}": "write `raw: {config: {a: b}}`",
        "resources: {use_spot: true}": "write `raw: {resources: {use_spot: true}}` beside `resources`",
        "resources: {spot: true}": "write `raw: {resources: {use_spot: true}}` beside `resources`",
        "resources: {preemptible: true}": "write `raw: {resources: {use_spot: true}}` beside `resources`",
        "resources: {region: eu}": "write `raw: {resources: {region: eu}}` beside `resources`",
        "resources: {cloud: aws}": "write `raw: {resources: {cloud: aws}}` beside `resources`",
        "time_limit: 3h": "`mngen explain` lists the keys",
        "accelerators: H100:8": "write `resources: {gpus: 8, gpu_type: h100}`",
        "num_nodes: 2": "it belongs at `resources.nodes`",
        "ports: [8000]": "what is reached from outside stands in `expose`, a service's own in its `port`, Ray's in `ray.ports`",
    },
    "dstack": {
        "fleets: [a]": "write `raw: {fleets: [a]}`",
        "backends: [aws]": "write `raw: {backends: [aws]}`",
        "spot_policy: auto": "write `raw: {spot_policy: auto}`",
        "max_duration: off": 'write `raw: {max_duration: "off"}`',
        "time_limit: 3h": 'write `raw: {max_duration: "3h"}`',
        "max_price: 3": "write `raw: {max_price: 3}`",
        "regions: [eu]": "write `raw: {regions: [eu]}`",
        "region: eu": "write `raw: {regions: [eu]}`",
        "cloud: aws": "write `raw: {backends: [aws]}`",
        "use_spot: true": "write `raw: {spot_policy: spot}`",
        "use_spot: false": "write `raw: {spot_policy: on-demand}`",
        "privileged: true": "write `raw: {privileged: true}`",
        "resources: {use_spot: true}": "write `raw: {spot_policy: spot}` beside `resources`",
        "resources: {shm_size: 1G}": "did you mean `shm`?",
    },
    "slurm": {
        "use_spot: true": (
            "write `raw: {resources: {use_spot: true}}` in a skypilot target, `raw: {spot_policy: spot}` in a dstack target"
        ),
        "priority: 3": "it belongs at `slurm.priority`",
        "reservation: a": "it belongs at `slurm.reservation`",
        "type: slurm": "did you mean `kind`?",
        "gres: gpu:h100:8": (
            "write `resources: {gpus: 8, gpu_type: h100}` and `slurm: {gpu_request: {form: gres, type: h100}}`"
        ),
        "gres: gpu:a100_sxm:8": "write `resources: {gpus: 8}` and `slurm: {gpu_request: {form: gres, type: a100_sxm}}`",
        "gres: gpu:4": "write `resources: {gpus: 4}` and `slurm: {gpu_request: {form: gres}}`",
        "gres: 'gpu:4,shard:2'": "it belongs at `slurm.gpu_request`",
        "gpus_per_node: 8": "it belongs at `resources.gpus`",
        "gpus_per_node: h100:8": "write `resources: {gpus: 8, gpu_type: h100}` and `slurm: {gpu_request: {type: h100}}`",
        "ports: [8000]": "what is reached from outside stands in `expose`, a service's own in its `port`, Ray's in `ray.ports`",
    },
}  # fmt: skip

ANYWHERE = {
    "image: {arch: gfx942}": "did you mean `gpu_arch`?",
    "image: {name: a/b:1}": "did you mean `ref`?",
    "image: {path: /a.sif}": "did you mean `sif`?",
    "image: {run: [a]}": "did you mean `steps`?",
    "image: {dockerfile: Dockerfile}": (
        "mngen writes the Dockerfile: describe the image with `repository` and `variants`, or name a built one as `ref`"
    ),
    "mounts: [{host: /a, target: /b}]": "did you mean `source`?",
    "mounts: [{src: /a, target: /b}]": "did you mean `source`?",
    "mounts: [{path: /a, target: /b}]": "did you mean `source`?",
    "mounts: [{source: /a, container: /b}]": "did you mean `target`?",
    "mounts: [{source: /a, dst: /b}]": "did you mean `target`?",
    "mounts: [{source: /a, destination: /b}]": "did you mean `target`?",
    "mounts: [{source: /a, path: /b}]": "did you mean `target`?",
    "mounts: [{source: /a, mountPath: /b}]": "did you mean `target`?",
    "ports: [8000]": "what is reached from outside stands in `expose`, a service's own in its `port`, Ray's in `ray.ports`",
    "ray: {head_port: 6379}": "it belongs at `ray.ports.gcs`",
    "ray: {port: 6379}": "it belongs at `ray.ports.gcs`",
    "ray: {gcs_port: 6379}": "it belongs at `ray.ports.gcs`",
    "ray: {num_cpus: 8}": "it belongs at `resources.cpus`",
    "ray: {num_gpus: 8}": "it belongs at `resources.gpus`",
    "ray: {dashboard_host: 0.0.0.0}": "write `dashboard: {bind: all}`",
    "ray: {dashboard_host: 10.0.0.1}": "it belongs at `ray.dashboard.bind`",
    "ray: {dashboard_port: 8265}": "it belongs at `ray.ports.dashboard`",
    "ray: {object_store_memory: 10G}": "did you mean `object_store`?",
    "ray: {dashboard: {host: 127.0.0.1}}": "write `bind: loopback`",
    "ray: {dashboard: {port: 8265}}": "it belongs at `ray.ports.dashboard`",
    "ray: {ports: {port: 6379}}": "did you mean `gcs`?",
    "services: {a: {command: [s], nodes: all}}": "write `on: every-node`",
    "services: {a: {command: [s], nodes: 2}}": "did you mean `on`?",
    "services: {a: {command: [s], port: auto, health: /health}}": "write `ready: {http: /health}`",
    "services: {a: {command: [s], port: auto, healthcheck: {test: x}}}": "did you mean `ready`?",
    "services: {a: {cmd: [s], command: [s]}}": "did you mean `command`?",
    "network: {ib: true}": "write `fabric: ib`",
    "network: {infiniband: true}": "write `fabric: ib`",
    "network: {roce: true}": "write `fabric: roce`",
    "gres: gpu:h100:8": (
        "write `resources: {gpus: 8, gpu_type: h100}` and `slurm: {gpu_request: {form: gres, type: h100}}`"
    ),
    "slurm: {gres: 'gpu:8'}": "write `resources: {gpus: 8}` and `slurm: {gpu_request: {form: gres}}`",
    "use_spot: true": (
        "write `raw: {resources: {use_spot: true}}` in a skypilot target, `raw: {spot_policy: spot}` in a dstack target"
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "text", "hint"), [(kind, *one) for kind, rows in IN_A_TARGET.items() for one in rows.items()]
)
def test_in_a_target(judge, kind, text, hint):
    (found,) = judge(f"{HEAD}targets:\n  a:\n    kind: {kind}\n{textwrap.indent(text, '    ')}\n")
    assert (found.code, found.hint) == ("MN101", hint)


@pytest.mark.parametrize("text", ANYWHERE)
def test_anywhere(judge, text):
    found = [one for one in judge(f"{HEAD}targets: {{a: {{kind: slurm}}}}\n{text}\n") if one.code == "MN101"]
    assert [one.hint for one in found] == [ANYWHERE[text]]


def test_at_the_top_only_the_kinds_that_the_manifest_has_are_told(judge):
    (found,) = judge(f"{HEAD}targets: {{a: {{kind: skypilot}}, b: {{kind: slurm}}}}\nuse_spot: true\n")
    assert found.hint == "write `raw: {resources: {use_spot: true}}` in a skypilot target"


def test_what_takes_many_lines_is_not_repeated(judge):
    text = f"region: {'x' * 80}"
    (found,) = judge(f"{HEAD}targets:\n  a:\n    kind: skypilot\n    {text}\n")
    assert found.hint == "write `raw: {resources: {region: …}}`"


def told(name):
    with pytest.raises(UsageError) as raised:
        explanation(name)
    return raised.value.hint


@pytest.mark.parametrize("name", sorted(ALIASES))
def test_explain_leads_where_validate_does(judge, name):
    (found,) = judge(f"{HEAD}targets: {{a: {{kind: slurm}}}}\n{name}: x\n")
    fields = re.findall(r"`([^`]+)`", told(name))
    assert fields == re.findall(r"`([^`]+)`", found.hint)


EXPLAINED = {
    "use_spot": (
        "write `raw: {resources: {use_spot: true}}` in a skypilot target, `raw: {spot_policy: spot}` in a dstack target"
    ),
    "resources.use_spot": (
        "write `raw: {resources: {use_spot: true}}` in a skypilot target, `raw: {spot_policy: spot}` in a dstack target"
    ),
    "region": (
        "write `raw: {resources: {region: …}}` in a skypilot target, `raw: {regions: […]}` in a dstack target"
    ),
    "fleets": "write `raw: {fleets: […]}` in a dstack target",
    "targets.a.max_duration": "write `raw: {max_duration: …}` in a dstack target",
    "num_nodes": "did you mean `resources.nodes`?",
    "num-nodes": "did you mean `resources.nodes`?",
    "targets.a.num_nodes": "did you mean `resources.nodes`?",
    "gpus_per_node": "did you mean `resources.gpus`?",
    "resources.gpus_per_node": "did you mean `resources.gpus`?",
    "gres": "did you mean `slurm.gpu_request`?",
    "slurm.gres": "did you mean `slurm.gpu_request`?",
    "modules": "did you mean `host_setup`?",
    "volumes": "did you mean `mounts`?",
    "mounts.src": "did you mean `mounts[].source`?",
    "mounts[0].dst": "did you mean `mounts[].target`?",
    "ray.port": "did you mean `ray.ports.gcs`?",
    "ray.num_gpus": "did you mean `resources.gpus`?",
    "image.arch": "did you mean `image.gpu_arch`?",
    "services.a.health": "did you mean `services.NAME.ready`?",
    "network.ib": "write `fabric: ib`",
    "slurm.ntasks": "leave it out: one task on each node starts Ray, which starts the workers",
    "ports": "what is reached from outside stands in `expose`, a service's own in its `port`, Ray's in `ray.ports`",
    "nothing.src": "`mngen explain` lists the fields",
}  # fmt: skip


@pytest.mark.parametrize("name", EXPLAINED)
def test_explain(name):
    assert told(name) == EXPLAINED[name]
