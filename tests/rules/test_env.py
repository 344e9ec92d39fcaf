"""Variables: names that are taken, values that cannot work, secrets, credentials."""

from __future__ import annotations

from pathlib import Path

import pytest

from mngen.manifest.text import Ref, Text
from mngen.manifest.token_shapes import token_in

ROOT = Path(__file__).parents[2]
# Built at run time, so that no scanner takes this file for a leak.
HF = "hf_" + "a1B2c3D4e5" * 3
GITHUB = "ghp_" + "a1B2c3D4e5" * 4
AWS = "AKIA" + "A1B2C3D4E5F6G7H8"
OPENAI = "sk-" + "a1b2c3d4e5" * 3
HEX40 = "0123456789abcdef" * 2 + "01234567"


def env(**values):
    return {"env": values}


def args(*words):
    return {"driver": {"args": words}}


CASES = {
    "usual variables": (
        env(HF_HOME="/hf", VLLM_USE_V1="1", NCCL_IB_HCA="mlx5_0,mlx5_1", NCCL_SOCKET_IFNAME="^lo,docker"),
        [],
    ),
    "address of the head": (env(RAY_ADDRESS="auto"), ["MN260"]),
    "one address for all nodes": (env(VLLM_HOST_IP="10.0.0.1"), ["MN260"]),
    "master": (env(MASTER_ADDR="${{ head_ip }}", MASTER_PORT="29500"), []),
    "token": (env(RAY_AUTH_TOKEN="x"), ["MN260"]),
    "the launch script's own": (env(GPUS="8", JOB_DIR="/x", MNGEN_X="1"), ["MN260"] * 3),
    "port of Ray": (env(GCS_PORT="1"), ["MN260"]),
    "port of a service": ({**env(WEB_PORT="1"), "services": {"web": {"port": "auto"}}}, ["MN260"]),
    "port of nobody": (env(WEB_PORT="1"), []),
    "read-only in bash": (env(UID="1000"), ["MN260"]),
    "of a service": ({"services": {"web": {"env": {"HEAD_IP": "x"}}}}, ["MN260"]),
    "SkyPilot's": ({"kind": "skypilot", **env(SKYPILOT_NODE_RANK="0")}, ["MN260"]),
    "SkyPilot's elsewhere": (env(SKYPILOT_NODE_RANK="0"), []),
    "dstack's": ({"kind": "dstack", **env(DSTACK_NODE_RANK="0")}, ["MN260"]),
    "debugger twice": ({**env(RAY_DEBUG="1"), "debug": {"post_mortem": True}}, ["MN260"]),
    "debugger once": (env(RAY_DEBUG_POST_MORTEM="1"), []),
    "Slurm's": (env(SLURM_CPU_BIND="none"), ["MN261w"]),
    "Apptainer's spelling": (env(APPTAINERENV_A="b"), ["MN261w"]),
    "secret named PATH": ({"secrets": {"PATH": {}}}, ["MN260"]),
    "secret named like an address": ({"secrets": {"HEAD_IP": {}}}, ["MN260"]),
    "the token as a secret": ({"secrets": {"RAY_AUTH_TOKEN": {}}}, []),
    "part of a log-in": ({"kind": "skypilot", "secrets": {"SKYPILOT_DOCKER_PASSWORD": {}}}, ["MN262"]),
    "split log-in": (
        {
            "kind": "skypilot",
            **env(SKYPILOT_DOCKER_USERNAME="me", SKYPILOT_DOCKER_SERVER="r.example"),
            "secrets": {"SKYPILOT_DOCKER_PASSWORD": {}},
        },
        ["MN262"],
    ),
    "whole log-in": (
        {
            "kind": "skypilot",
            "secrets": {f"SKYPILOT_DOCKER_{part}": {} for part in ("USERNAME", "PASSWORD", "SERVER")},
        },
        [],
    ),
    "Gloo with NCCL's exclusion": (env(GLOO_SOCKET_IFNAME="^lo,docker"), ["MN263"]),
    "Gloo with NCCL's exact match": (env(GLOO_SOCKET_IFNAME="=eth0"), ["MN263"]),
    "Gloo with a name": (env(GLOO_SOCKET_IFNAME="eth0"), []),
    "PATH that names itself": (env(PATH="/opt/x/bin:$PATH"), ["MN264w"]),
    "library path that names itself": (env(LD_LIBRARY_PATH="/opt/x:${LD_LIBRARY_PATH:-}"), ["MN264w"]),
    "secret that names itself": (env(HF_TOKEN="${HF_TOKEN}", LOCAL="${HF_TOKEN}"), ["MN264w"]),
    "another dollar": (env(A="b$c", PATH="/bin:$PATHS"), []),
    "PATH of the node": (env(PATH="/opt/x/bin:${{ env.PATH }}"), []),
    "secret with a value": ({**env(WANDB_API_KEY="x"), "secrets": {"WANDB_API_KEY": {}}}, ["MN265"]),
    "secret with a value in a service": (
        {"services": {"a": {"env": {"KEY_": "x"}}}, "secrets": {"KEY_": {}}},
        ["MN265"],
    ),
    "set and unset": ({**env(A="1"), "unset_env": ["A"]}, ["MN266"]),
    "set and unset by prefix": ({**env(PMIX_A="1"), "unset_env": ["PMI*"]}, ["MN266"]),
    "secret and unset": ({"secrets": {"A": {}}, "unset_env": ["A"]}, ["MN266"]),
    "set and kept from Ray": ({**env(PMI_RANK="1"), "ray": {"unset_env_prefixes": ["PMI"]}}, ["MN266"]),
    "variable of the job unset": ({"unset_env": ["JOB_ID"]}, ["MN266"]),
    "variables of the job unset by prefix": ({"unset_env": ["GPU*"]}, ["MN266"]),
    "port base of the script": (env(first="x"), ["MN260"]),
    "PATH unset": ({"unset_env": ["PATH"]}, ["MN266"]),
    "Ray's unset": ({"unset_env": ["RAY_*"]}, ["MN266"]),
    "launcher's unset": ({"unset_env": ["PMI*", "OMPI_*", "SLURM_*", "ROCR_VISIBLE_DEVICES"]}, []),
    "set, another unset": ({**env(A="1"), "unset_env": ["AB", "XY*"]}, []),
    "Hugging Face token": (env(HF_TOKEN=HF), ["MN267"]),
    "token in an argument": (args(f"token={GITHUB}"), ["MN267"]),
    "token in setup": ({"setup": f"wandb login {HEX40}"}, ["MN267"]),
    "token in prepare": ({"prepare": [f"huggingface-cli login --token {HF}"]}, ["MN267"]),
    "token for a second attempt": ({"resume": {"args": [f"--key={GITHUB}"]}}, ["MN246w", "MN267"]),
    "token in a typed directive": ({"slurm": {"comment": f"key {GITHUB}"}}, ["MN267"]),
    "token in the address of code": (
        {"kind": "skypilot", "code": {"git": f"https://u:{GITHUB}@github.com/a/b", "ref": "v1"}},
        ["MN267"],
    ),
    "token in a prefix": ({"runtime": "prefix", "container": {"prefix": ["enter", f"--key={GITHUB}"]}}, ["MN267"]),
    "token in how a service is asked": (
        {"services": {"a": {"command": ["x"], "ready": {"command": ["ask", GITHUB]}}}},
        ["MN267"],
    ),
    "token in a place": ({"workdir": f"/x/{HF}"}, ["MN267"]),
    "token in a package's address": (
        {"driver": {"command": ["a"], "submit": "ray-job", "runtime_env": {"pip": [f"a @ https://{HF}@x.org/a.whl"]}}},
        ["MN267"],
    ),
    "token in a service": ({"services": {"a": {"command": ["x", f"--key={OPENAI}"]}}}, ["MN267"]),
    "token in a directive": ({"slurm": {"extra": [f"--comment={AWS}"]}}, ["MN267"]),
    "token in raw": ({"kind": "skypilot", "raw": {"config": {"x": [HF]}}}, ["MN267"]),
    "wandb key": (env(WANDB_API_KEY=HEX40), ["MN267"]),
    "password of a proxy": (env(HTTPS_PROXY="http://me:secret1@proxy:3128"), ["MN267"]),
    "proxy": (env(HTTPS_PROXY="http://proxy:3128"), []),
    "random password": (env(DB_PASSWORD="kd83jf82kd03jf84"), ["MN267w"]),
    "stand-in key": (env(OPENAI_API_KEY="EMPTY", LLM_API_KEY="not-needed"), []),
    "commit": (args(f"rev={HEX40}"), []),
    "path of a token": (env(HF_TOKEN_PATH="/home/me/.cache/token1234567890"), []),
    "tokenizer": (env(TOKENIZERS_PARALLELISM="false", MAX_TOKEN="131072"), []),
    "token of a back end": (
        env(BACK_END_TOKEN="kd83jf82kd03jf84kd83", FRONTEND_TOKEN="kd83jf82kd03jf84kd83"),
        ["MN267w"] * 2,
    ),
    "tokens of a model": (env(EOS_TOKEN="end_of_text_token_151645", MAX_NEW_TOKEN="kd83jf82kd03jf84"), []),
    "secret in an argument": ({**args("key=${{ env.K }}"), "secrets": {"K": {}}}, ["MN268"]),
    "secret in a service's argument": (
        {"services": {"a": {"command": ["x", "${{ env.K }}"]}}, "secrets": {"K": {}}},
        ["MN268"],
    ),
    "secret in a runtime option": (
        {"runtime": "apptainer", "image": {"ref": "a/b:1"}, "container": {"options": ["--env=A=${{ env.K }}"]}}
        | {"secrets": {"K": {}}},
        ["MN268"],
    ),
    "secret in runtime_env": (
        {"driver": {"submit": "ray-job", "runtime_env": {"env_vars": {"K": "x"}}}, "secrets": {"K": {}}},
        ["MN268"],
    ),
    "no secret in an argument": ({**args("home=${{ env.HOME }}"), "secrets": {"K": {}}}, []),
    "secret of a home file": ({"secrets": {"K": {"file": "~/key"}}}, ["MN297"]),
    "variables of a relative file": ({"env_files": ["a.env"]}, ["MN269w"]),
    "image of a relative file": ({"runtime": "apptainer", "image": {"sif": "images/a.sif"}}, ["MN269w"]),
    "squashed image of a relative file": ({"runtime": "pyxis", "image": {"sqsh": "a.sqsh"}}, ["MN269w"]),
    "image of the home": ({"runtime": "apptainer", "image": {"sif": "${{ env.HOME }}/a.sif"}}, []),
    "runtime_env beside the code": (
        {"driver": {"submit": "ray-job", "runtime_env": {"file": "r.yaml"}}, "ray": {"version": "2.52.1"}},
        ["MN269n", "MN319n"],
    ),
    "variables of a home file": ({"env_files": ["$HOME/a.env"]}, ["MN297"]),
    "variables of a file": ({"env_files": ["/etc/a.env"]}, []),
    "variable with what is almost a placeholder": (env(MASTER="tcp://{{head_ip}}:1"), ["MN297w"]),
    "transport of another fabric": ({"network": {"fabric": "ib"}, **env(NCCL_NET="socket")}, ["MN259"]),
    "verbs as the transport of EFA": ({"network": {"fabric": "efa"}, **env(NCCL_NET="IB")}, ["MN259"]),
    "verbs where there are none": ({"network": {"fabric": "none"}, **env(NCCL_NET="IB")}, ["MN259"]),
    "verbs switched off": ({"network": {"fabric": "roce"}, **env(NCCL_IB_DISABLE="1")}, ["MN259"]),
    "transport of the fabric": ({"network": {"fabric": "roce"}, **env(NCCL_NET="ib", NCCL_IB_DISABLE="0")}, []),
    "transport of a plugin": ({"network": {"fabric": "ib"}, **env(NCCL_NET="IBext_v8")}, []),
    "verbs switched off without a fabric": (env(NCCL_IB_DISABLE="1"), []),
    "a node's variable on SkyPilot": (
        {"kind": "skypilot", "driver": {"args": ["${{ env.BASE }}/a", "${{ env.BASE }}", "${{ env.HOME }}"]}},
        ["MN301n"],
    ),
    "a node's variable with a default on SkyPilot": (
        {"kind": "skypilot", "driver": {"args": [Text((Ref("env.EPOCHS", "20"),)), "${{ env.EPOCHS }}"]}},
        [],
    ),
    "two defaults": (
        {"driver": {"args": [Text((Ref("env.A", "1"),)), Text((Ref("env.A", "2"),))]}},
        ["MN301"],
    ),
    "one default twice": ({"driver": {"args": [Text((Ref("env.A", "1"),)), Text((Ref("env.A", "1"),))]}}, []),
    "a variable of raw on SkyPilot": (
        {
            "kind": "skypilot",
            "raw": {"envs": {"BASE": "/x"}, "secrets": {"KEY": None}},
            "env": {"A": "${{ env.BASE }}", "B": "${{ env.KEY }}"},
        },
        [],
    ),
    "a variable of raw on dstack": (
        {"kind": "dstack", "raw": {"env": ["BASE=/x", "KEY"]}, "workdir": "${{ env.BASE }}/${{ env.KEY }}"},
        [],
    ),
    "a variable that raw does not have": (
        {"kind": "skypilot", "raw": {"envs": {"BASE": "/x"}, "env": {"KEY": 1}}, "env": {"A": "${{ env.KEY }}"}},
        ["MN301n", "MN312w"],
    ),
    "a node's variable on dstack": ({"kind": "dstack", "workdir": "${{ env.BASE }}"}, ["MN301n"]),
    "a cloud's own variable": ({"kind": "dstack", "driver": {"args": ["${{ env.DSTACK_RUN_NAME }}"]}}, []),
    "a node's variable that is handed over": (
        {"kind": "dstack", "workdir": "${{ env.BASE }}", "secrets": {"BASE": {}}},
        [],
    ),
    **{
        f"{name} of the node": ({"driver": {"args": [f"x=${{{{ env.{name} }}}}"]}}, ["MN301"])
        for name in ("NODE_RANK", "JOB_ID", "JOB_DIR", "ATTEMPT", "HEAD_IP", "HEAD_ADDRESS", "NODE_IP", "VLLM_HOST_IP")
    },
    "a node's variable that setup sets": (
        {"setup": "cd x\nexport DATA=${DATA:-$PWD}\n", "driver": {"args": ["${{ env.DATA }}/a"]}},
        ["MN301w"],
    ),
    "a node's variable that host_setup sets": (
        {"host_setup": "module load x; BASE=/b", "mounts": [{"source": "${{ env.BASE }}", "target": "/b"}]},
        [],
    ),
    "a node's variable that setup goes on with": (
        {"host_setup": "export BASE=/b", "setup": "export BASE=$BASE/run", "env": {"OUT": "${{ env.BASE }}/out"}},
        [],
    ),
    "a node's variable that setup reads": ({"setup": "export A=${{ env.DATA }}/x; DATA=1 make\n"}, []),
    "a node's variable on Slurm": ({"driver": {"args": ["${{ env.BASE }}"]}}, []),
    "a command's output": (env(A="$(hostname)", B="`id -u`", C="$((1 + 1))", D="a $(b)", E="$(a) b"), ["MN297w"] * 2),
    "variable that begins like a path": (env(HF_HOME="$SCRATCH/hf", TRITON_CACHE_DIR="~/x"), ["MN297w"] * 2),
    "variable with a dollar inside": (env(GREETING="it's $HOME"), []),
    "secret of a file": ({"secrets": {"K": {"file": "${{ env.HOME }}/key"}}}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize("secret", [HF, GITHUB, AWS, OPENAI, HEX40])
def test_a_message_never_repeats_the_credential(findings, secret):
    for found in findings(env={"WANDB_API_KEY": secret}):
        assert secret not in found.message
        assert secret not in found.hint


@pytest.mark.parametrize(
    "harmless",
    [
        "risk-assessment-of-the-long-term-results",
        "task-01234567890123456789",
        "https://host/path:80/x@y",
        "git@github.com:org/repo",
        "file:///home/me:1/x",
        HEX40,
    ],
)
def test_what_is_no_credential(harmless):
    assert token_in(harmless) is None


@pytest.mark.parametrize(
    ("name", "hint"), [("MASTER_ADDR", "${{ head_ip }}"), ("NODE_NAME_OF_MINE", "write it in setup")]
)
def test_the_address_of_the_head_is_not_each_nodes_own(findings, name, hint):
    (found,) = findings(env={name: "$(hostname -I)"})
    assert hint in found.hint


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        (env(NODES="4"), "to give NODES to the driver alone, begin driver.command with env NODES=VALUE"),
        (
            {"services": {"web": {"env": {"NODES": "4"}}}},
            "to give NODES to this service alone, begin services.web.command with env NODES=VALUE",
        ),
    ],
)
def test_the_hint_names_whose_command_it_is(findings, fields, hint):
    (found,) = findings(**fields)
    assert found.hint == f"remove it; {hint}"


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("PATH", "removes PATH, which"),
        ("PA*", "removes PA*, and with it PATH, which"),
        ("NODES", "removes NODES, which"),
    ],
)
def test_what_is_unset_is_named_once(findings, pattern, said):
    (found,) = findings(unset_env=[pattern])
    assert f"unset_env {said} the job needs" in found.message
