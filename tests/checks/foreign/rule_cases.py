"""A defect for each rule up to MN739, and the same done right."""

from rule_beginnings import DOCKER, SB, SKY

# code: (file name, a text with the defect, its line, the same done right)
CASES = {
    "MN700": ("a.yaml", "type: task\na: [1\nb: 2\n", 3, "type: task\na: [1]\n"),
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
        4,
        SB + "#SBATCH --mem=1G\ntrue\n",
    ),
    "MN733": ("a.sbatch", SB + "#SBATCH --output=../logs/%j.out\n", 3, SB + "#SBATCH --output=%j.out\n"),
    "MN734": ("a.sbatch", SB + "#SBATCH --nodelist=gpu-[0,1]\n", 3, SB + "#SBATCH --exclude=gpu-3\n"),
    "MN735": (
        "a.sbatch",
        SB + "#SBATCH --ntasks-per-node=2\nsrun docker run x\n",
        4,
        SB + "#SBATCH --ntasks-per-node=2\nsrun --ntasks-per-node=1 ray start --head\nsrun train.py\n",
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
}

MORE = [
    ("MN702", "a.sh", "train --model '<name>'\n", 1),
    ("MN702", "a.sh", ': "${A:?set it}" "<address>:8265"\n', 1),
    ("MN702", "a.sh", 'docker run "<image>"\n', 1),
    ("MN710", "a.sh", "set -o pipefail\nsrun bash -c 'train | tee x.log'\n", 2),
    ("MN710", "a.sh", "docker run img bash -lc 'cd /w && train 2>&1 | tee x.log'\n", 1),
    ("MN710", "a.sh", "set -euo pipefail\nsrun bash -s <<'E'\nset -eu\ntrain | tee x.log\nE\n", 4),
    ("MN710", "a.sh", "set -o pipefail\ntimeout 9 bash -c '\nset -e\n  train |& tee x.log\n'\n", 4),
    ("MN710", "a.sh", "bash -c 'set -o pipefail; srun bash -c \"train | tee x.log\"'\n", 1),
    ("MN710", "a.sh", 'train | tee "x-$(date +%F).log"\n', 1),
    ("MN710", "a.sky.yaml", SKY + "  set -o pipefail\n  docker exec c sh -c 'train | tee l'\n", 4),
]
"""Defects in another form: code, file name, text, line."""

RIGHT = [
    ("MN702", "a.sh", ': "${A:?set <name>}" "${B?give <words>}"\nx="${1:?usage: $0 <model>}"\n'),
    ("MN702", "a.sh", 'die "give <model> and <nodes>"\nlog_error "no <name>"\nread -rp "give <name> " x\n'),
    ("MN702", "a.sh", 'USAGE="run.sh <model> <nodes>"\nlocal help_text="-n <nodes>"\n'),
    ("MN710", "a.sh", "srun bash -c 'set -o pipefail; train | tee x.log'\n"),
    ("MN710", "a.sh", "srun bash -eo pipefail -s <<'E'\ntrain | tee x.log\nE\n"),
    ("MN710", "a.sh", "srun bash -s <<'E'\nset -euo pipefail\ntrain | tee x.log\nE\n"),
    ("MN710", "a.sh", "srun bash -c 'echo start | tee x.log'\nout=$(train | tee x.log)\n"),
    ("MN710", "a.sh", "set -o pipefail\nexport SHELLOPTS\nbash -c 'train | tee x.log'\n"),
    ("MN702", "a.sh", 'PAD_TOKEN="<pad>"\nIMAGE_TOKEN="<image>"\ntrain --stop "<eos>" --image-token "<image>"\n'),
]
"""Texts that look like a defect and are none."""
