"""Targets on SkyPilot and dstack with what must stand in their documents; the real clients load them too."""

from __future__ import annotations

import json
from typing import Any

from mngen import render, targets
from mngen.diagnostics import Diagnostic
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.model import Manifest

IMAGE = {"ref": "registry.example.org/rl/verl@sha256:" + "ab" * 32}
H100 = {"gpus": 8, "gpu_type": "h100"}
LOGIN = ("SKYPILOT_DOCKER_USERNAME", "SKYPILOT_DOCKER_PASSWORD", "SKYPILOT_DOCKER_SERVER")
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def text(kind: str, fields: dict[str, Any]) -> str:
    """Return a manifest of one target, `here`."""
    target = {"kind": kind, "image": IMAGE, **fields}
    resources = {"nodes": 2, **target.pop("resources", {})}
    base = {"apiVersion": "mngen/v1", "name": target.pop("name", "train"), "driver": {"command": ["python3", "t.py"]}}
    return json.dumps({**base, "resources": resources, "targets": {"here": target}})


def read(kind: str, fields: dict[str, Any]) -> tuple[Manifest, list[Diagnostic]]:
    """Return the manifest, and all that is said of it."""
    loaded = load(text(kind, fields), "m.yaml", LoadOptions())
    assert loaded.manifest is not None, loaded.diagnostics
    return loaded.manifest, [*loaded.diagnostics, *targets.notes(loaded.manifest)]


def files(kind: str, fields: dict[str, Any]) -> dict[str, str]:
    """Return the files of the target by name, and the README."""
    manifest, found = read(kind, fields)
    assert [item for item in found if item.severity.value == "error"] == []
    rendered = render.render(targets.plan(manifest), digest="").files
    return {file.path.removeprefix("here/"): file.text for file in rendered}


# Name: the target's fields, and keys of its task by dotted path with their values (None: absent).
SKYPILOT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "sizes are asked for as at least": (
        {"resources": {**H100, "cpus": 96, "memory": "1500G", "disk": "2T"}},
        {"resources.cpus": "96+", "resources.memory": "1500+", "resources.disk_size": 2048},
    ),
    "memory is never rounded down": ({"resources": {**H100, "memory": "1500M"}}, {"resources.memory": "2+"}),
    "memory for each GPU is multiplied": (
        {"resources": {**H100, "memory": {"per_gpu": "100G"}}},
        {"resources.memory": "800+"},
    ),
    "memory for each CPU is multiplied": (
        {"resources": {"cpus": 8, "memory": {"per_cpu": "4G"}}},
        {"resources.memory": "32+", "resources.accelerators": None},
    ),
    "all memory asks for none": ({"resources": {**H100, "memory": 0}}, {"resources.memory": None}),
    "an A100 has two sizes": (
        {"resources": {"gpus": 8, "gpu_type": "a100", "gpu_memory": "80GB"}},
        {"resources.accelerators": "A100-80GB:8"},
    ),
    "the small A100 has the plain name": (
        {"resources": {"gpus": 8, "gpu_type": "a100-40gb"}},
        {"resources.accelerators": "A100:8"},
    ),
    "AMD": (
        {"variant": "rocm", "resources": {"gpus": 8, "gpu_type": "mi300x"}},
        {"resources.accelerators": "MI300X:8"},
    ),
    "an image keeps its digest": ({"resources": H100}, {"resources.image_id": f"docker:{IMAGE['ref']}"}),
    "shared memory of machines and of pods": (
        {"resources": {**H100, "shm": "128G"}},
        {
            "config.docker.run_options": ["--shm-size=128g"],
            "config.kubernetes.pod_config.spec.volumes": [
                {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "128Gi"}}
            ],
        },
    ),
    "AMD's devices, which SkyPilot gives to no container": (
        {"variant": "rocm", "resources": {"gpus": 8, "gpu_type": "MI300X"}},
        {
            "config.docker.run_options": [
                *("--device=/dev/kfd", "--device=/dev/dri"),
                *("--group-add=video", "--security-opt=seccomp=unconfined"),
            ]
        },
    ),
    "no devices of a machine without GPUs": (
        {"variant": "rocm", "resources": {"gpus": 0, "cpus": 8}},
        {"config": None},
    ),
    "a fabric": ({"resources": H100, "network": {"fabric": "efa"}}, {"resources.network_tier": "best"}),
    "no fabric": ({"resources": H100, "network": {"fabric": "none"}}, {"resources.network_tier": None}),
    "a bucket that can be written is mounted": (
        {"resources": H100, "mounts": [{"source": "s3://bucket/ckpt", "target": "/ckpt", "shared": True}]},
        {"file_mounts./ckpt": {"source": "s3://bucket/ckpt", "mode": "MOUNT"}},
    ),
    "a bucket that is only read is copied": (
        {"resources": H100, "mounts": [{"source": "gs://bucket/data", "target": "/data", "mode": "ro"}]},
        {"file_mounts./data": "gs://bucket/data"},
    ),
    "a volume by its name": (
        {"resources": H100, "mounts": [{"source": "my-pvc", "target": "/ckpt"}, {"source": "./my", "target": "/m"}]},
        {"volumes": {"/ckpt": "my-pvc"}, "file_mounts./m": "../../my", "file_mounts./ckpt": None},
    ),
    "a folder of the user's own": (
        {"resources": H100, "mounts": [{"source": "${{ env.HOME }}/data", "target": "/data"}]},
        {"file_mounts./data": "~/data", "file_mounts.~/mngen-boot.sh": "boot.sh"},
    ),
    "a folder that no rented machine has": (
        {"resources": H100, "mounts": [{"source": "${{ env.SCRATCH }}/hf", "target": "/hf"}]},
        {"file_mounts": {"~/mngen-boot.sh": "boot.sh"}},
    ),
    "code beside the manifest": ({"resources": H100, "code": {"path": "src", "to": "/w"}}, {"workdir": "../../src"}),
    "code elsewhere": ({"resources": H100, "code": {"path": "/src/a", "to": "/w"}}, {"workdir": "/src/a"}),
    "code from git": (
        {"resources": H100, "code": {"git": "https://github.com/volcengine/verl", "ref": COMMIT}},
        {"workdir": {"url": "https://github.com/volcengine/verl", "ref": COMMIT}},
    ),
    "optional secrets are named on the command line": (
        {"resources": H100, "secrets": {"WANDB_API_KEY": {}, "HF_TOKEN": {"required": False}}},
        {"secrets": {"WANDB_API_KEY": None}},
    ),
    "secrets from files are the node's": (
        {"resources": H100, "secrets": {"WANDB_API_KEY": {"file": "/run/secrets/wandb"}}},
        {"secrets": None},
    ),
    "a registry's login by secrets": (
        {"resources": H100, "secrets": {name: {"required": False} for name in LOGIN}},
        {"secrets": dict.fromkeys(LOGIN)},
    ),
    "a registry's login by env": (
        {"resources": H100, "env": dict.fromkeys(LOGIN, "x")},
        {"secrets": dict.fromkeys(LOGIN, "x")},
    ),
    "ports": ({"resources": H100, "expose": [8000]}, {"resources.ports": [8000]}),
    "raw is laid over what is generated": (
        {
            "resources": {**H100, "shm": "64G"},
            "raw": {
                "resources": {
                    "infra": "aws/us-east-1",
                    "use_spot": True,
                    "job_recovery": {"max_restarts_on_errors": 3},
                },
                "config": {"docker": {"run_options": ["--ulimit=memlock=-1"]}},
            },
        },
        {
            "resources.infra": "aws/us-east-1",
            "resources.accelerators": "H100:8",
            "config.docker.run_options": ["--shm-size=64g", "--ulimit=memlock=-1"],
        },
    ),
    "one of several kinds of GPU": (
        {
            "resources": {"gpus": 8},
            "raw": {"resources": {"any_of": [{"accelerators": "H100:8"}, {"accelerators": "H200:8"}]}},
        },
        {"resources.accelerators": None},
    ),
    "one node without GPUs": ({"resources": {"nodes": 1}}, {"num_nodes": 1, "resources.accelerators": None}),
}

DSTACK: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "sizes are asked for as at least": (
        {"resources": {**H100, "cpus": 96, "memory": "1500G", "disk": "2T"}},
        {"resources.cpu": "96..", "resources.memory": "1500GB..", "resources.disk": "2048GB.."},
    ),
    "memory for each GPU is multiplied": (
        {"resources": {**H100, "memory": {"per_gpu": "100G"}}},
        {"resources.memory": "800GB.."},
    ),
    "a GPU by model": ({"resources": H100}, {"resources.gpu": "nvidia:H100:8"}),
    "a GPU by model and memory": (
        {"resources": {**H100, "gpu_memory": "80G"}},
        {"resources.gpu": "nvidia:H100:80GB:8"},
    ),
    "a GPU by memory": ({"resources": {"gpus": 8, "gpu_memory": "80GB"}}, {"resources.gpu": "nvidia:80GB:8"}),
    "a spelling with memory": (
        {"resources": {"gpus": 8, "gpu_type": "a100-80gb"}},
        {"resources.gpu": "nvidia:A100:80GB:8"},
    ),
    "a model that dstack calls otherwise": (
        {"resources": {"gpus": 1, "gpu_type": "rtx6000-ada"}},
        {"resources.gpu": "nvidia:RTX6000Ada:1"},
    ),
    "AMD": (
        {"variant": "rocm", "resources": {"gpus": 8, "gpu_type": "mi300x"}},
        {"resources.gpu": "amd:MI300X:8"},
    ),
    "shared memory": ({"resources": {**H100, "shm": "128G"}}, {"resources.shm_size": "128GB"}),
    "shared memory in small units": ({"resources": {**H100, "shm": "1536M"}}, {"resources.shm_size": "1536MB"}),
    "several nodes end with the head": ({"resources": H100}, {"nodes": 2, "stop_criteria": "master-done"}),
    "one node": ({"resources": {**H100, "nodes": 1}}, {"nodes": 1, "stop_criteria": None}),
    "a path of the instance": (
        {"resources": H100, "mounts": [{"source": "/data", "target": "/workspace/data"}]},
        {"volumes": ["/data:/workspace/data"]},
    ),
    "a volume for each node": (
        {"resources": H100, "mounts": [{"source": "data-${{ node_rank }}", "target": "/data"}]},
        {"volumes": ["data-${{ dstack.node_rank }}:/data"]},
    ),
    "a volume of a run with one node": (
        {"resources": {**H100, "nodes": 1}, "mounts": [{"source": "data", "target": "/data"}]},
        {"volumes": ["data:/data"]},
    ),
    "a folder that no instance has": (
        {"resources": H100, "mounts": [{"source": "${{ env.HOME }}/data", "target": "/data"}]},
        {"volumes": None},
    ),
    "code beside the manifest": (
        {"resources": H100, "code": {"path": ".", "to": "/w"}},
        {"files": ["boot.sh:/mngen/boot.sh", "../..:/w"], "working_dir": None},
    ),
    "code without a place": (
        {"resources": H100, "code": {"path": "src"}},
        {"files": ["boot.sh:/mngen/boot.sh", "../../src:/workflow"], "working_dir": "/workflow"},
    ),
    "a path with a colon": (
        {"resources": H100, "code": {"path": "a:b", "to": "/w"}},
        {"files": ["boot.sh:/mngen/boot.sh", {"local_path": "../../a:b", "path": "/w"}]},
    ),
    "code from git at a commit": (
        {"resources": H100, "code": {"git": "https://github.com/volcengine/verl", "ref": COMMIT, "to": "/w"}},
        {"repos": [{"url": "https://github.com/volcengine/verl", "hash": COMMIT, "path": "/w"}]},
    ),
    "code from git at a branch": (
        {"resources": H100, "code": {"git": "https://github.com/volcengine/verl", "ref": "main", "to": "/w"}},
        {"repos": [{"url": "https://github.com/volcengine/verl", "branch": "main", "path": "/w"}]},
    ),
    "optional secrets are named on the command line": (
        {"resources": H100, "secrets": {"WANDB_API_KEY": {}, "HF_TOKEN": {"required": False}}},
        {"env": ["WANDB_API_KEY"]},
    ),
    "ports": ({"resources": H100, "expose": [8000]}, {"ports": [8000]}),
    "raw is laid over what is generated": (
        {
            "resources": H100,
            "secrets": {"WANDB_API_KEY": {}},
            "raw": {
                "env": {"A": 1, "B": "x y"},
                "files": ["data.txt:/data.txt"],
                "spot_policy": "auto",
                "backends": ["aws"],
                "retry": {"on_events": ["no-capacity"], "duration": "1h"},
                "registry_auth": {"username": "me", "password": "${{ secrets.registry }}"},
            },
        },
        {
            "env": ["WANDB_API_KEY", "A=1", "B=x y"],
            "files": ["boot.sh:/mngen/boot.sh", "data.txt:/data.txt"],
            "spot_policy": "auto",
            "registry_auth.password": "${{ secrets.registry }}",
        },
    ),
    "raw variables alone": ({"resources": H100, "raw": {"env": {"A": "x\ny"}}}, {"env": {"A": "x\ny"}}),
}
TASKS = {"skypilot": SKYPILOT, "dstack": DSTACK}
