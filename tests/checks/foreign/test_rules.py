"""Each rule for foreign files finds its defect, and leaves the right way alone."""

from __future__ import annotations

import pytest

from mngen.checks import check_foreign
from mngen.checks.foreign.rules import RULES
from mngen.codes import CODES

SB = "#!/bin/bash\n#SBATCH --nodes=2\n"
DOCKER = "FROM ubuntu:24.04\n"
SKY = "num_nodes: 2\nrun: |\n"
DSTACK = "type: task\nnodes: 2\nimage: x\ncommands:\n"

# code: (file name, a text with the defect, its line, the same done right)
CASES = {
    "MN700": ("a.yaml", "a: [1\nb: 2\n", 2, "a: [1]\n"),
    "MN701": (
        "a.dstack.yml",
        "type: task\ncommands:\n  - |\n  if true; then\n    x\n  fi\n",
        4,
        "type: task\ncommands:\n  - |\n    if true; then\n      x\n    fi\n",
    ),
    "MN702": ("a.sh", "true\nADDRESS='<address>:8265'\n", 2, 'ADDRESS="${HEAD:?}:8265"\n'),
    "MN703": (
        "Dockerfile",
        DOCKER + "RUN pip install x \\\n  -no-build-isolation\n",
        3,
        DOCKER + "RUN pip install --no-build-isolation -r r.txt -U -qq x\n",
    ),
    "MN704": (
        "Dockerfile",
        DOCKER + 'RUN pip install "te @ git+https://h/x@${TE_VERSION}"\n',
        2,
        DOCKER + "ARG TE_VERSION=1\nRUN pip install te==${TE_VERSION} && echo '$NOT_ME' && A=1 && echo $A $PATH\n",
    ),
    "MN705": (
        "Dockerfile",
        DOCKER + 'RUN pip install "te @ git+https://h/x@"\n',
        2,
        DOCKER + "ARG REF=v1\nRUN pip install git+https://h/x@${REF} git+https://h/y@v2\n",
    ),
    "MN706": (
        "Dockerfile",
        DOCKER + "RUN sed -i s/a/b/ x.py\n",
        2,
        DOCKER + "RUN sed -i s/a/b/ x.py && grep -q b x.py\n",
    ),
    "MN707": (
        "Dockerfile",
        DOCKER + "ENV A=1 \\\n  NCCL_SOCKET_IFNAME=eth0\n",
        3,
        DOCKER + "ENV NCCL_DEBUG=WARN PATH=/x:$PATH\n",
    ),
    "MN708": (
        "x.def",
        "Bootstrap: docker\nFROM ubuntu\n%post\n  true\n",
        2,
        "# note\nBootstrap: docker\nFrom: ubuntu\n\n%post\n  true\n",
    ),
    "MN710": ("a.sh", "train 2>&1 | tee x.log\n", 1, "set -o pipefail\ntrain 2>&1 | tee x.log\n"),
    "MN711": ("a.sh", "srun a\nsrun b\nsrun c\n", 1, "set -euo pipefail\nsrun a\nsrun b\nsrun c\n"),
    "MN712": ("a.sh", "train\necho done\n", 2, "train\n"),
    "MN713": ("a.sh", "train | tee x.log \\\n  trainer.a=b\n", 2, "train trainer.a=b | tee -a x.log\n"),
    "MN714": ("a.sh", "n=$(x | grep -c node || echo 0)\n", 1, "n=$(x | grep -c node || true)\n"),
    "MN715": ("a.sh", 'n=$(echo "$IPS" | wc -l)\n', 1, "wc -l data.txt\n"),
    "MN716": ("a.sh", "ps aux | grep ray | grep 6379 || ray start --head\n", 1, "ps aux\n"),
    "MN717": ("a.sh", "serve &\ntrain\n", 1, "serve &\npid=$!\ntrain\n"),
    "MN718": ("a.sh", "serve &\npid=$!\n", 1, "trap stop EXIT\nserve &\npid=$!\n"),
    "MN719": ("a.sh", "ray start --head\nsleep 10\n", 2, "ray start --head\nuntil ready; do sleep 2; done\n"),
    "MN720": (
        "a.sh",
        "true\nwhile ! ray status; do\n  sleep 5\ndone\n",
        2,
        "while ! ray status; do\n  ((SECONDS < 300)) || exit 1\n  sleep 5\ndone\n",
    ),
    "MN721": (
        "a.sh",
        "for i in {1..30}; do\n  ready && break\n  sleep 1\ndone\ntrain\n",
        4,
        "for i in {1..30}; do\n  ready && break\n  sleep 1\ndone\nready || exit 75\n[[ -n $x ]]\n",
    ),
    "MN722": (
        "a.sh",
        'nodes=$(scontrol show hostnames)\narray=("$nodes")\nhead=${array[0]}\n',
        2,
        'mapfile -t array < <(scontrol show hostnames)\none=("$file")\nhead=${array[0]}\n',
    ),
    "MN723": (
        "a.sh",
        'srun bash -c "\n  docker images --format "{{.ID}}"\n"\n',
        1,
        "srun bash -c '\n  docker images --format \"{{.ID}}\"\n'\n",
    ),
    "MN724": (
        "a.sbatch",
        SB + 'srun bash -c "echo $SLURM_PROCID"\n',
        3,
        SB + "srun bash -c 'echo $SLURM_PROCID'\nsrun bash -c \"echo \\$SLURM_PROCID\"\n",
    ),
    "MN725": (
        "a.sh",
        "train trainer.logger=['console','wandb']\n",
        1,
        'train \'trainer.logger=["console","wandb"]\' a.b=[1,2]\n',
    ),
    "MN726": ("a.sh", "train a.b=1 \\\n  a.b=2\n", 2, "train a.b=1 a.c=2\n"),
    "MN727": ("a.sh", "M=a\nM=b\ntrain $M\n", 2, "M=a\ntrain $M\nM=b\ntrain $M\n"),
    "MN728": (
        "a.sh",
        'for n in $x; do\n  [ -z "$n" ] && { echo "Error: empty"; continue; }\ndone\n',
        2,
        'for n in $x; do\n  [ -z "$n" ] && { echo "Error: empty"; exit 1; }\ndone\n',
    ),
    "MN729": (
        "a.sh",
        "python3 -c '\ntry:\n  f()\nexcept Exception as e:\n  print(e)\n'\n",
        1,
        "python3 -c '\ntry:\n  f()\nexcept Exception as e:\n  raise SystemExit(1)\n'\n",
    ),
    "MN730": (
        "a.sbatch",
        "#!/bin/bash\n#SBATCH --output=${LOGS}/x\ntrue\n",
        2,
        "#!/bin/bash\n#SBATCH --output=x-%j\ntrue\n",
    ),
    "MN731": ("a.sbatch", SB + "true\n#SBATCH --mem=1G\n", 4, SB + "\n# note\n#SBATCH --mem=1G\ntrue\n"),
    "MN732": (
        "a.sbatch",
        SB + "#SBATCH --mem=1G\n#SBATCH --mem-per-cpu=1G\ntrue\n",
        2,
        SB + "#SBATCH --mem=1G\ntrue\n",
    ),
    "MN733": ("a.sbatch", SB + "#SBATCH --output=../logs/%j.out\n", 3, SB + "#SBATCH --output=%j.out\n"),
    "MN734": ("a.sbatch", SB + "#SBATCH --nodelist=gpu-[0,1]\n", 3, SB + "#SBATCH --exclude=gpu-3\n"),
    "MN735": (
        "a.sbatch",
        SB + "#SBATCH --ntasks-per-node=2\nsrun x\n",
        4,
        SB + "#SBATCH --ntasks-per-node=2\nsrun --ntasks-per-node=1 x\n",
    ),
    "MN736": (
        "a.sbatch",
        SB + "srun --overlap a &\npid=$!\nsrun b\n",
        5,
        SB + "srun --overlap a &\npid=$!\nsrun --overlap b\n",
    ),
    "MN737": (
        "a.sbatch",
        SB + "#SBATCH --cpus-per-task=8\nsrun ray start --head --block\n",
        4,
        SB + "#SBATCH --cpus-per-task=8\nsrun -c 8 ray start --head --block\n",
    ),
    "MN738": (
        "a.sbatch",
        SB + 'srun --nodes=$N --ntasks=1 -w "$h" x\n',
        3,
        SB + 'srun --nodes=1 --ntasks=1 -w "$h" x\n',
    ),
    "MN739": ("a.sbatch", SB + "x --n=$SLURM_GPUS_PER_NODE\n", 3, SB + "x --n=$SLURM_GPUS_ON_NODE\n"),
    "MN740": ("a.sbatch", SB + "x $SLURM_CPUS_PER_TASK\n", 3, SB + "#SBATCH -c 8\nx $SLURM_CPUS_PER_TASK\n"),
    "MN741": ("a.sbatch", SB + 'cd "$(dirname "$0")"\n', 3, SB + 'cd "$SLURM_SUBMIT_DIR"\n'),
    "MN742": ("a.sbatch", SB + "x | tee train.log\n", 3, SB + "x | tee train-$SLURM_JOB_ID.log\n"),
    "MN743": (
        "a.sbatch",
        SB + "#SBATCH --time=1:00:00\n",
        3,
        SB + "#SBATCH --time=1:00:00\n#SBATCH --signal=B:USR1@300\n",
    ),
    "MN744": ("a.sbatch", SB + "docker exec c x\n", 3, SB + "srun docker exec c x\n"),
    "MN745": (
        "a.sky.yaml",
        SKY + "  train trainer.nnodes=2\n",
        3,
        SKY + "  train trainer.nnodes=$SKYPILOT_NUM_NODES\n",
    ),
    "MN746": ("a.sh", "ray start --head\n", 1, 'ray start --head --num-gpus="$n"\n'),
    "MN747": ("a.sh", "ray start --head\n", 1, "ulimit -n 65535\nray start --head\n"),
    "MN748": (
        "a.dstack.yml",
        DSTACK + "  - |\n    if x; then\n      python3 prep.py --local_dir d\n    fi\n",
        7,
        DSTACK + "  - python3 prep.py --local_dir d\n",
    ),
    "MN749": (
        "a.sh",
        "apptainer exec --bind $dir image.sif ls $x\n",
        1,
        'apptainer exec --bind "$dir" "$image" ls $x\n',
    ),
    "MN750": ("a.sh", "ray nodes\n", 1, "ray status\nray --version\n"),
    "MN751": (
        "a.sh",
        "if [[ ${#ADDR[0]} -gt 16 ]]; then x; fi\n",
        1,
        "if [[ ${#nodes[@]} -gt 1 && $ip == *:* ]]; then x; fi\n",
    ),
    "MN752": ("a.sh", "ip=$(hostname --ip-address)\n", 1, "ip=$(ip -j route get 192.0.2.1)\nhostname -s\n"),
    "MN753": (
        "a.sh",
        "x --address=$head_ip:6379\n",
        1,
        'x --address="[$head_ip]:6379" http://h:80 a:b $PATH:/x ${slipway}\n',
    ),
    "MN754": (
        "a.sbatch",
        SB + "port=6379\nray start --head --port=$port\n",
        4,
        SB + "#SBATCH --exclusive\nray start --head --port=6379\n",
    ),
    "MN755": (
        "a.sbatch",
        SB + "ray start --head\n",
        3,
        SB
        + "ray start --head --node-manager-port=1 --object-manager-port=2 --runtime-env-agent-port=3 --dashboard-agent-listen-port=4 --min-worker-port=5 --max-worker-port=6\n",
    ),
    "MN756": ("a.sh", "RAY_ADDRESS=h:1\nray job submit -- x\n", 1, "export RAY_ADDRESS=h:1\nray job submit -- x\n"),
    "MN757": (
        "a.sh",
        "ray start --head\nray start --address $a\n",
        2,
        "ray start --head\nray start --address $a\nuntil ray status | grep -q ok; do sleep 1; done\n",
    ),
    "MN758": ("a.sh", "ray start --address $a\n", 1, "ray start --address $a --block\n"),
    "MN759": ("a.sh", "ray start --address $a\n", 1, "ray start --address $a --node-ip-address $b\n"),
    "MN760": (
        "a.sbatch",
        SB + "ray start --head --temp-dir=$HOME/ray\n",
        3,
        SB + "ray start --head --temp-dir=/tmp/r-$SLURM_JOB_ID\n",
    ),
    "MN761": (
        "a.sh",
        "ray start --head --dashboard-host=0.0.0.0\n",
        1,
        "ray start --head --dashboard-host=127.0.0.1\n",
    ),
    "MN762": ("a.sh", "ray stop\n", 1, 'kill "$ray_pid"\n'),
    "MN763": ("a.sh", "pkill -9 python\n", 1, 'kill "$pid"\n'),
    "MN764": ("a.sh", "ray symmetric-run --address h:1 -- x\n", 1, "ray start --head\n"),
    "MN765": ("a.sh", "ray start --head\n", 1, "export RAY_AUTH_MODE=token\nray start --head\n"),
    "MN766": (
        "a.dstack.yml",
        DSTACK + "  - ray start --head\n",
        5,
        DSTACK + "  - ray start --head\n  - python3 train.py\n",
    ),
    "MN767": (
        "a.sh",
        "ray job submit --no-wait -- x | tee l\n",
        1,
        "ray job submit -- x | tee l\nray job submit --no-wait -- x\n",
    ),
    "MN768": (
        "a.sh",
        "python3 -c 'import ray; ray.init(address=\"auto\")'\n",
        1,
        "python3 -c 'import ray; ray.init()'\n",
    ),
    "MN769": (
        "a.sky.yaml",
        SKY + "  ray start --head --port 6380 --dashboard-agent-listen-port=52366 --temp-dir=/tmp/r\n",
        3,
        SKY + "  ray start --head --port 6379 --dashboard-agent-listen-port=52366 --temp-dir=/tmp/r\n",
    ),
    "MN770": ("a.sh", "apptainer run x.sif train\n", 1, "apptainer exec x.sif train\napptainer run x.sif\n"),
    "MN771": ("a.sh", "apptainer exec --nv x.sif train\n", 1, "apptainer exec x.sif train\n"),
    "MN772": ("a.sh", "apptainer exec x.sif train\n", 1, "apptainer exec -e x.sif train\n"),
    "MN773": ("a.sh", "apptainer exec x.sif train\n", 1, "apptainer exec --pwd /w x.sif train\n"),
    "MN774": ("a.sh", "docker image prune -f\n", 1, "docker image ls\n"),
    "MN775": ("a.sbatch", SB + "srun docker pull a:b\n", 3, SB + "srun docker pull a@sha256:0\n"),
    "MN776": ("a.sh", "docker images | grep -q x\n", 1, "docker image inspect x\n"),
    "MN777": ("a.sh", "N=train\ndocker run --name $N img\n", 2, "docker run --name train-$SLURM_JOB_ID img\n"),
    "MN778": ("a.sh", "docker run --rm -d img\n", 1, "docker run --rm img -d\n"),
    "MN779": ("a.sh", "docker run --privileged img\n", 1, "docker run --device /dev/kfd img\n"),
    "MN780": ("a.sh", "docker run -v ~/.ssh:/root/.ssh img\n", 1, "docker run -v $HOME/data:/data img\n"),
    "MN781": (
        "a.sh",
        "docker run img train trainer.logger=wandb\n",
        1,
        "docker run -e WANDB_API_KEY img train trainer.logger=wandb\n",
    ),
    "MN782": ("a.sh", "printenv\n", 1, "printenv PATH\nset -e\nenv A=1 x\nexport A=1\n"),
    "MN783": (
        "a.sh",
        "login key=$WANDB_API_KEY\n",
        1,
        'export A="$WANDB_API_KEY"\n[[ -n $HF_TOKEN ]]\n: "${HF_TOKEN:?unset}"\n',
    ),
    "MN784": (
        "a.sh",
        "export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567\n",
        1,
        'export WANDB_API_KEY="$KEY"\n',
    ),
    "MN785": (
        "a.sh",
        "export HIP_VISIBLE_DEVICES=$x\nexport ROCR_VISIBLE_DEVICES=$x\n",
        2,
        "export HIP_VISIBLE_DEVICES=$x\nunset ROCR_VISIBLE_DEVICES\n",
    ),
    "MN786": ("a.sh", "export CUDA_VISIBLE_DEVICES=0,1\n", 1, "export CUDA_VISIBLE_DEVICES=$SLURM_JOB_GPUS\n"),
    "MN787": ("a.sh", "export NCCL_DEBUG=TRACE\n", 1, "export NCCL_DEBUG=WARN NCCL_IB_HCA=$hca\n"),
    "MN788": ("a.sh", "set -e\nibdev2netdev\n", 2, "set -e\nibdev2netdev || true\n"),
    "MN789": ("a.sh", "python3 -c 'transformers.pipeline(1)'\n", 1, "hf download x\n"),
    "MN790": ("a.sh", "git clone https://h/x\n", 1, "git clone --branch v1 https://h/x\n"),
    "MN791": ("a.sky.yaml", "num_nodes: 2\nsetup: |\n  pip install x\n", 3, "num_nodes: 2\nsetup: |\n  pip list\n"),
    "MN792": ("a.sky.yaml", "secrets:\n  K: null\nrun: x\n", 2, "secrets: {K: v}\nrun: x\n"),
    "MN793": ("a.sky.yaml", "file_mounts:\n  data: ~/data\nrun: x\n", 2, "file_mounts:\n  /data: ~/data\nrun: x\n"),
    "MN794": ("a.dstack.yml", DSTACK + "  - x\n", 5, DSTACK + "  - x\nshell: bash\n"),
    "MN795": ("a.dstack.yml", DSTACK + "  - x\n", 2, DSTACK + "  - x\nstop_criteria: master-done\n"),
    "MN796": ("a.dstack.yml", DSTACK + "  - |\n    a\n    b\n    c\n", 6, DSTACK + "  - bash boot.sh\n"),
    "MN797": ("a.dstack.yml", DSTACK + "  - x\nvolumes:\n  - /c:/c\n", 7, DSTACK + "  - x\nvolumes:\n  - net:/c\n"),
}


def codes(text: str, file: str) -> list[tuple[str, int]]:
    return [(found.code, found.span.line) for found in check_foreign(text, file, lint=False)]


@pytest.mark.parametrize("code", CASES)
def test_rule_finds_its_defect(code: str) -> None:
    file, bad, line, _ = CASES[code]
    assert (code, line) in codes(bad, file)


@pytest.mark.parametrize("code", CASES)
def test_rule_leaves_the_right_way_alone(code: str) -> None:
    file, _, _, good = CASES[code]
    assert code not in {found for found, _ in codes(good, file)}


def test_every_rule_has_a_case_and_an_explanation() -> None:
    known = [rule.code for rule in RULES]
    assert sorted(known) == known
    assert len(set(known)) == len(known)
    assert set(CASES) == set(known)
    assert set(known) <= set(CODES)


@pytest.mark.parametrize("code", CASES)
def test_messages_say_what_and_how(code: str) -> None:
    file, bad, _, _ = CASES[code]
    for found in check_foreign(bad, file, lint=False):
        assert found.message
        assert found.hint
        assert not found.message.endswith(".")


MORE = [
    ("MN756", "a.sh", "ray start --head\npython3 -m train\n", 2),
    ("MN759", "a.sh", "srun docker exec c ray start --head\n", 1),
    ("MN716", "a.sh", "pgrep -f raylet || pgrep ray\n", 1),
    ("MN752", "a.sh", "ip -4 addr show eth0\n", 1),
    ("MN777", "a.sh", "docker rm c 2>/dev/null || true\n", 1),
    ("MN780", "a.sh", "docker run -v $HOME:$HOME img\n", 1),
    ("MN781", "a.sh", "UNBUFFERED=1 srun docker exec c x\n", 1),
    ("MN784", "Dockerfile", DOCKER + "ARG HF_TOKEN\n", 2),
    ("MN784", "Dockerfile", DOCKER + "ENV API_KEY=x\n", 2),
    ("MN786", "a.dstack.yml", DSTACK + "  - x\nenv:\n  - CUDA_VISIBLE_DEVICES=0,1\n", 7),
    ("MN786", "a.sky.yaml", "envs:\n  HIP_VISIBLE_DEVICES: '0,1'\nrun: x\n", 2),
    ("MN790", "Dockerfile", DOCKER + "RUN git clone https://h/x && cd x\n", 2),
    ("MN771", "a.sh", "export HIP_VISIBLE_DEVICES=$x\napptainer exec --nv a.sif y\n", 2),
    ("MN775", "a.sbatch", SB + "docker build -t x .\n", 3),
    ("MN736", "a.sbatch", SB + "a=$(srun --overlap x)\nb=$(srun y)\n", 4),
    ("MN745", "a.sbatch", SB + "train trainer.nnodes=4\n", 3),
    ("MN797", "a.sky.yaml", SKY + "  x\n", 1),
    ("MN732", "a.sbatch", "#!/bin/bash\n#SBATCH --partion=x\ntrue\n", 2),
    ("MN708", "x.def", "Bootstrap: docker\nFrom:\n", 2),
    ("MN703", "x.def", "Bootstrap: docker\nFrom: x\n%post\n  pip install -no-deps x\n", 4),
    ("MN707", "x.def", "Bootstrap: docker\nFrom: x\n%environment\n  export RAY_ADDRESS=h:1\n", 4),
    ("MN782", "a.sh", "bash <<'X'\nprintenv\nX\n", 2),
]


@pytest.mark.parametrize(("code", "file", "text", "line"), MORE)
def test_rule_knows_the_other_form(code: str, file: str, text: str, line: int) -> None:
    assert (code, line) in codes(text, file)
