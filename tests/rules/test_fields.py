"""Driver, debuggers, services, endpoint, limits, memory, names, target versions, raw blocks, code."""

from __future__ import annotations

from mngen.manifest.mirrors import Mirrors

SUBMIT = {"submit": "ray-job"}
AUTO = {"web": {"port": "auto"}}


def sky(**raw):
    return {"kind": "skypilot", "raw": raw}


def dstack(**raw):
    return {"kind": "dstack", "raw": raw}


def verl(nodes, gpus):
    return {"driver": {"args": [f"trainer.nnodes={nodes}", f"++trainer.n_gpus_per_node={gpus}"]}}


CASES = {
    "argument with a port": ({"services": AUTO, "driver": {"args": ["${{ services.web.port }}"]}}, []),
    "outside, direct": ({"driver": {"submit_from": "outside"}, "ray": {"auth": "disabled"}}, ["MN281"]),
    "not waiting, direct": ({"driver": {"wait": False}}, ["MN281"]),
    "runtime_env, direct": ({"driver": {"runtime_env": {"file": "a.yaml"}}}, ["MN281"]),
    "not waiting on the head": ({"driver": {"wait": False, **SUBMIT}}, ["MN281"]),
    "ray-job with all of it": ({"driver": {"runtime_env": {"file": "/a.yaml"}, **SUBMIT}}, ["MN319n"]),
    "ray-job without a dashboard": ({"driver": SUBMIT, "ray": {"dashboard": {"enabled": False}}}, ["MN283"]),
    "mirror of a misspelt host": ({"mirrors": Mirrors(git={"githib.com": "https://m.example.org"})}, ["MN258w"]),
    "mirror of a host in capitals": ({"mirrors": Mirrors(images={"NVCR.IO": "m.example.org"})}, ["MN258w"]),
    "mirror of Docker Hub's site": ({"mirrors": Mirrors(images={"hub.docker.com": "m.example.org"})}, ["MN258w"]),
    "mirror of a country's mirror": ({"mirrors": Mirrors(apt={"de.archive.ubuntu.com": "http://m.example.org"})}, []),
    "two debuggers": ({"debug": {"legacy": True, "post_mortem": True}}, ["MN284"]),
    "one debugger": ({"debug": {"legacy": True}}, []),
    "step of every node after Ray": ({"prepare": [{"run": "x", "on": "every-node"}]}, ["MN282"]),
    "step of every node before Ray": ({"prepare": [{"run": "x", "on": "every-node", "when": "before-ray"}]}, []),
    "step of the only node": ({"prepare": [{"run": "x", "on": "every-node"}], "resources": {"nodes": 1}}, []),
    "probe without a port": ({"services": {"web": {"ready": {"tcp": True}}}}, ["MN285"]),
    "more services than ports": (
        {"services": {f"s{number}": {"port": "auto"} for number in range(17)}},
        ["MN285"],
    ),
    "probe by http without a port": ({"services": {"web": {"ready": {"http": "/"}}}}, ["MN285"]),
    "probe by command without a port": ({"services": {"web": {"ready": {"command": ["true"]}}}}, []),
    "probe with a port": ({"services": {"web": {"port": "auto", "ready": {"tcp": True}}}}, []),
    "script with no port": ({"services": {"web": {}}, "prepare": ["x ${{ services.web.port }}"]}, ["MN285"]),
    "service called gcs": ({"services": {"gcs": {"port": "auto"}}}, ["MN286"]),
    "services of one variable": ({"services": {"a-b": {}, "a_b": {}}}, ["MN286"]),
    "endpoint of nobody": ({"endpoint": {"file": "/x", "service": "web"}}, ["MN287"]),
    "endpoint without a port": ({"endpoint": {"file": "/x", "service": "web"}, "services": {"web": {}}}, ["MN287"]),
    "endpoint that is a folder": ({"endpoint": {"file": "/shared/ep/"}}, ["MN287"]),
    "endpoint": ({"endpoint": {"file": "/x", "service": "web"}, "services": AUTO}, []),
    "endpoint of Ray": ({"endpoint": {"file": "/x"}}, []),
    "endpoint on one node's disk": ({"endpoint": {"file": "/tmp/x", "service": "web"}, "services": AUTO}, ["MN287w"]),
    "limits": ({"ulimits": {"nofile": 65535, "memlock": "unlimited", "core": 0}}, []),
    "too many files": ({"ulimits": {"nofile": "unlimited"}}, ["MN288w"]),
    "too few files": ({"ulimits": {"nofile": 1024}}, ["MN288w"]),
    "memory per GPU without GPUs": ({"resources": {"memory": {"per_gpu": "64G"}, "gpus": 0}}, ["MN289"]),
    "memory per CPU on Slurm": ({"resources": {"memory": {"per_cpu": "4G"}}}, []),
    "memory per CPU without CPUs": ({"kind": "dstack", "resources": {"memory": {"per_cpu": "4G"}}}, ["MN289"]),
    "memory that Slurm cannot count": ({"resources": {"memory": "9" * 20 + "G"}}, ["MN289"]),
    "memory per CPU that Slurm cannot count": (
        {"resources": {"cpus": 8, "memory": {"per_cpu": "9" * 20 + "T"}}},
        ["MN289"],
    ),
    "store beyond shm": ({"resources": {"shm": "10G"}, "ray": {"object_store": "20G"}}, ["MN289"]),
    "store within shm": ({"resources": {"shm": "30G"}, "ray": {"object_store": "20G"}}, []),
    "shm beyond memory": ({"resources": {"shm": "128G", "memory": "64G"}}, ["MN289w"]),
    "all memory": ({"resources": {"shm": "128G", "memory": "0"}}, []),
    "store beyond memory": ({"resources": {"memory": "10G"}, "ray": {"object_store": "20G"}}, ["MN289"]),
    "dstack with an underscore": ({"kind": "dstack", "workload": "verl_dapo"}, ["MN290"]),
    "dstack with a capital": ({"kind": "dstack", "workload": "Verl"}, ["MN290"]),
    "dstack with a digit first": ({"kind": "dstack", "workload": "7b-grpo"}, ["MN290"]),
    "dstack with 42 letters": ({"kind": "dstack", "workload": "a" * 42}, ["MN290"]),
    "dstack with 41 letters": ({"kind": "dstack", "workload": "a" * 41}, []),
    "SkyPilot with a dot last": ({"kind": "skypilot", "workload": "verl."}, ["MN290"]),
    "SkyPilot": ({"kind": "skypilot", "workload": "Verl_7.b"}, []),
    "target called images": ({"name": "images"}, ["MN291"]),
    "SkyPilot of tomorrow": ({"kind": "skypilot", "version": "0.99"}, ["MN292w"]),
    "SkyPilot without a number": ({"kind": "skypilot", "version": "nightly"}, ["MN292w"]),
    "SkyPilot of today": ({"kind": "skypilot", "version": "0.14.1"}, []),
    "hooks in an old SkyPilot": ({**sky(config={"hooks": [1]}), "version": "0.12"}, ["MN293"]),
    "hooks in a new SkyPilot": ({**sky(config={"hooks": [1]}), "version": "0.13"}, []),
    "experimental in a new SkyPilot": ({**sky(experimental={}), "version": "0.11"}, ["MN293"]),
    "git code in an old SkyPilot": (
        {"kind": "skypilot", "version": "0.10.0", "code": {"git": "https://x/y", "ref": "v1"}},
        ["MN293"],
    ),
    "old dstack": ({"kind": "dstack", "version": "0.19.5"}, ["MN293"] * 2),
    "old dstack, one node": ({"kind": "dstack", "version": "0.19.16", "resources": {"nodes": 1}}, ["MN293"]),
    "dstack": ({"kind": "dstack", "version": "0.22.5", "secrets": {"A": {}}}, []),
    "groups in dstack 0.21.1": ({**dstack(instances=["a"]), "version": "0.20.24"}, ["MN293"]),
    "raw setup": (sky(setup="pip install x"), []),
    "raw run": (sky(run="x"), ["MN294"]),
    "raw accelerators": (sky(resources={"accelerators": "H100:8"}), ["MN294"]),
    "raw accelerators without GPUs": (
        {**sky(resources={"accelerators": "H100:8"}), "resources": {"gpus": 0}},
        ["MN294w"],
    ),
    "raw spot": (sky(resources={"use_spot": True}), []),
    "raw variable": ({**sky(envs={"A": 1}), "env": {"A": "2"}}, ["MN294"]),
    "raw other variable": ({**sky(envs={"B": 1}), "env": {"A": "2"}}, []),
    "raw secret": ({**sky(secrets={"A": 1}), "secrets": {"A": {}}}, ["MN294"]),
    "raw commands": (dstack(commands=["x"]), ["MN294"]),
    "raw variable in a list": ({**dstack(env=["A=1"]), "env": {"A": "2"}}, ["MN294"]),
    "raw shm": ({**dstack(resources={"shm_size": "1GB"}), "resources": {"shm": "64G"}}, ["MN294"]),
    "raw retry": (dstack(retry=True), []),
    "raw on Slurm": ({"raw": {"run": "x"}}, []),
    "long argument": ({"driver": {"args": ["a" * 131072]}}, ["MN295"]),
    "longest argument": ({"driver": {"args": ["a" * 131071]}}, []),
    "long variable": ({"env": {"A": "a" * 131070}}, ["MN295"]),
    "longest variable": ({"env": {"A": "a" * 131069}}, []),
    "long variable of a service": ({"services": {"a": {"env": {"A": "a" * 131070}}}}, ["MN295"]),
    "long option of Ray": ({"ray": {"head_args": ["--labels=" + "a" * 131071]}}, ["MN295"]),
    "too much together": ({"driver": {"args": ["a" * 100_000] * 63}}, ["MN295"]),
    "much together": ({"driver": {"args": ["a" * 100_000] * 30}}, ["MN295w"]),
    "much together on a large stack": (
        {"driver": {"args": ["a" * 100_000] * 30}, "ulimits": {"stack": "unlimited"}},
        [],
    ),
    "much from outside": (
        {"driver": {"args": ["a" * 50_000] * 2, "submit_from": "outside", **SUBMIT}, "ray": {"auth": "disabled"}},
        ["MN295"],
    ),
    "less from outside": (
        {"driver": {"args": ["a" * 50_000], "submit_from": "outside", **SUBMIT}, "ray": {"auth": "disabled"}},
        [],
    ),
    "driver that looks like an option": ({"driver": {"command": ["-m", "trainer"]}}, ["MN255"]),
    "driver behind an assignment": ({"driver": {"command": ["A=1", "python3"]}}, ["MN255"]),
    "driver without a name": ({"driver": {"command": ["", "x"]}}, ["MN255"]),
    "driver by srun": ({"driver": {"command": ["srun", "python3", "t.py"]}}, ["MN302w"]),
    "driver that waits for nodes": (
        {"driver": {"command": ["torchrun", "--nnodes", "2", "t.py"]}, "resources": {"nodes": 2}},
        ["MN302w"],
    ),
    "driver that waits for some nodes": (
        {"driver": {"command": ["env", "/v/bin/torchrun", "--nnodes=2:4", "t"]}},
        ["MN302w"],
    ),
    "driver's module that waits for nodes": (
        {"driver": {"command": ["python3", "-m", "torch.distributed.run", "--nnodes=2", "t.py"]}},
        ["MN302w"],
    ),
    "driver of accelerate for nodes": (
        {"driver": {"command": ["uv", "run", "accelerate", "launch", "--num-machines", "2", "t.py"]}},
        ["MN302w"],
    ),
    "driver of processes on the head": (
        {"driver": {"command": ["torchrun", "--standalone", "--nnodes=1", "t.py", "--nodes", "2"]}},
        [],
    ),
    "service that waits for nodes": (
        {"services": {"a": {"command": ["torchrun", "--nnodes=2", "t.py"], "on": "every-node"}}},
        [],
    ),
    "driver in one word": ({"driver": {"command": ["python3 train.py"]}}, ["MN255w"]),
    "service in one word": ({"services": {"a": {"command": ["python3 -m serve"]}}}, ["MN255w"]),
    "settings in one word": ({"driver": {"command": ["t", "trainer.save_freq=50 trainer.test_freq=50"]}}, ["MN297w"]),
    "added and removed settings in one word": ({"driver": {"command": ["t", "+a.b=1  ~c.d= "]}}, ["MN297w"]),
    "one setting with blanks": ({"driver": {"command": ["t", "trainer.name=my run of a=1", "a=1 b=2", "x.y=1 "]}}, []),
    "driver with a blank in its path": ({"driver": {"command": ["/opt/my tools/train"]}}, []),
    "driver behind env": ({"driver": {"command": ["env", "A=1", "python3"]}}, []),
    "driver of the node": ({"driver": {"command": ["${{ env.PYTHON }}"]}}, []),
    "service behind an assignment": ({"services": {"a": {"command": ["A=1", "serve"]}}}, ["MN255"]),
    "probe that looks like an option": ({"services": {"a": {"ready": {"command": ["-x"]}}}}, ["MN255"]),
    **{
        f"service named {name}": ({"services": {name: {"command": ["s"]}}}, ["MN286"])
        for name in ("ray", "cluster", "time-limit", "driver")
    },
    "service named as a function of the script": ({"services": {"part": {"command": ["s"]}}}, []),
    "requirements of a job": (
        {
            "driver": {
                "submit": "ray-job",
                "runtime_env": {"pip": ["requirements.txt", "-r a.txt", "-rb.in", "--constraint=c.txt", "/x/r.txt"]},
            }
        },
        ["MN303w"] * 5,
    ),
    "requirements of a job that are found": (
        {
            "driver": {
                "submit": "ray-job",
                "runtime_env": {"pip": ["trl==0.21", "-r /x/r.txt", "-r ${RAY_RUNTIME_ENV_CREATE_WORKING_DIR}/r.txt"]},
            }
        },
        [],
    ),
    "step that is always done": ({"endpoint": {"file": "$HOME/x.json"}}, ["MN297"]),
    "more nodes than there are": (verl(4, 8), ["MN298"]),
    "more GPUs than there are": (verl(2, 16), ["MN298"]),
    "as many as there are": (verl(2, 8), []),
    "idle GPUs": (verl(1, 8), ["MN298w"]),
    "head without GPUs": ({**verl(2, 8), "ray": {"head_gpus": 0}}, ["MN298"]),
    "head without GPUs, counted": ({**verl(1, 8), "ray": {"head_gpus": 0}}, []),
    "GPUs of a service": ({**verl(2, 8), "services": {"a": {"gpus": 1, "on": "every-node"}}}, ["MN298"]),
    "GPUs beside a service": ({**verl(2, 7), "services": {"a": {"gpus": 1, "on": "every-node"}}}, []),
    "the last one counts": ({"driver": {"args": ["trainer.nnodes=9", "trainer.nnodes=2"]}}, ["MN310w"]),
    "OpenRLHF": ({"driver": {"args": ["--actor_num_nodes", "4", "--actor_num_gpus_per_node", "8"]}}, ["MN298"]),
    "OpenRLHF, part of the cluster": (
        {"driver": {"args": ["--actor_num_nodes", "1", "--actor_num_gpus_per_node=8"]}},
        [],
    ),
    "slime": ({"driver": {"args": ["--actor-num-nodes=3"]}}, ["MN298"]),
    "ray stop": ({"setup": "true\nray stop --force"}, ["MN299w"]),
    "a switch that the job clears": (
        {"setup": "export RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES=1"},
        ["MN299w"],
    ),
    "such a switch, unset": ({"setup": "unset RAY_EXPERIMENTAL_NOSET_HIP_VISIBLE_DEVICES"}, []),
    "the folder of logs": ({"setup": "export LOG_DIR=/x", "logs": {"driver": "a.log"}}, ["MN299w"]),
    "the folder of no logs": ({"setup": "export LOG_DIR=/x"}, []),
    "ray start": ({"prepare": ["ray start --head"]}, ["MN299w"]),
    "pkill": ({"cleanup": "sleep 1; pkill -9 python"}, ["MN299w"]),
    "prune": ({"host_setup": "docker image prune -f"}, ["MN299w"]),
    "sessions of others": ({"cleanup": "rm -rf /tmp/ray"}, ["MN299w"]),
    "sessions of others, by a pattern": ({"cleanup": "rm -rf /tmp/ray/session_*; rm -r /tmp/ray/*"}, ["MN299w"]),
    "a file among the sessions": ({"cleanup": "rm -rf /tmp/ray/ray_current_cluster /tmp/rays /tmp/ray-mine"}, []),
    "a danger that is meant": ({"setup": "# mngen ignore=MN299\npkill x\nray stop  # mngen ignore=MN299\n"}, []),
    "a danger that is meant, and another": ({"setup": "pkill x # mngen ignore=MN299\nray stop\n"}, ["MN299w"]),
    "another danger that is meant": ({"setup": "# mngen ignore=MN298\npkill x\n"}, ["MN299w"]),
    "OpenRLHF by dots": (
        {"driver": {"args": ["--actor.num_nodes", "1", "--actor.num_gpus_per_node", "4"]}, "resources": {"gpus": 0}},
        ["MN298"],
    ),
    "environment into the log": ({"setup": "printenv", "secrets": {"A": {}}}, ["MN299w"]),
    "environment into the log, no secrets": ({"setup": "printenv"}, []),
    "one variable into the log": ({"setup": "printenv HOME\nenv A=1 true", "secrets": {"A": {}}}, []),
    "trace": ({"setup": "set -ex", "secrets": {"A": {}}}, ["MN299w"]),
    "the job's own trap": ({"setup": "trap 'rm -rf /scratch/me' EXIT"}, ["MN299w"]),
    "a trap of a text with a shell of its own": ({"preflight": "trap 'rm -rf /scratch/me' EXIT"}, []),
    "a trap in a word": ({"setup": "echo trap EXIT; trap '' HUP"}, []),
    "variable of the launch script": ({"setup": "true; export GPUS=4"}, ["MN299w"]),
    "variable of the launch script, for one command": ({"host_setup": "NODES=2 python3 x.py"}, ["MN299w"]),
    "port variable of the launch script": ({"setup": "workers=8"}, ["MN299w"]),
    "function of the launch script": ({"setup": "fail() {\n  exit 1\n}"}, ["MN299w"]),
    "function of the launch script, with its word": ({"host_setup": "function say { echo; }"}, ["MN299w"]),
    "variables and functions of one's own": ({"setup": "MY_GPUS=4\nlog() { echo; }\n[ $GPUS = 4 ]\nx=first=2"}, []),
    "variables of a shell of its own": ({"preflight": "NODES=2; fail() { exit 1; }"}, []),
    "log-in": ({"setup": "wandb login $WANDB_API_KEY"}, ["MN299w"]),
    "module in a container": (
        {"setup": "set -e\nmodule load cuda/12.8", "runtime": "apptainer", "image": {"sif": "/a.sif"}},
        ["MN299w"],
    ),
    "module on the node": ({"setup": "module load cuda/12.8"}, []),
    "module before the container": ({"host_setup": "ml cuda", "runtime": "apptainer", "image": {"sif": "/a.sif"}}, []),
    "in a comment": ({"setup": "# ray stop\necho array stop"}, []),
    "code that moves": ({"code": {"git": "https://x/y"}}, ["MN296w"]),
    "a commit cut short": ({"code": {"git": "https://x/y", "ref": "1f2e3d4"}}, ["MN821w"]),
    "a whole commit": ({"code": {"git": "https://x/y", "ref": "1f2e3d4c" * 5}}, []),
    "a tag": ({"code": {"git": "https://x/y", "ref": "v0.6.0"}}, []),
    "a day": ({"code": {"git": "https://x/y", "ref": "20261130"}}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_a_refused_name_comes_with_one_that_is_not(findings, codes):
    for name in ("verl_dapo", "Verl", "7b-grpo", "a" * 60, "__"):
        (found,) = findings(kind="dstack", workload=name)
        mapped = found.hint.split("'")[1]
        assert codes(kind="dstack", workload=mapped) == []
