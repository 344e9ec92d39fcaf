"""A defect for each rule about the form of files and about image recipes, and the same done right."""

from rule_beginnings import DEF, DOCKER

# code: (file name, a text with the defect, its line, the same done right)
CASES = {
    "MN798": ("a.sbatch", "#!/bin/bash\n#SBATCH -N 2\r\ntrue\r\n", 2, "#!/bin/bash\n#SBATCH -N 2\ntrue\n"),
    "MN799": ("a.sh", "\ufeff#!/bin/bash\ntrue\n", 1, "#!/bin/bash\ntrue\n"),
    "MN900": ("a.sh", "#!/usr/bin/env -S zsh -f\nsetopt nomatch\n", 1, "#!/usr/bin/env bash\ntrue\n"),
    "MN901": (
        "Dockerfile",
        DOCKER + "WORKDIR /opt\nENV A=1 \\\n    PYTHONPATH=/opt/Megatron-LM\n",
        4,
        DOCKER
        + "ARG DIR=/opt/y\nWORKDIR /opt\nRUN git clone --branch v1 https://h/x/Megatron-LM.git && mkdir $DIR\n"
        + "COPY src /srv/app\nENV PYTHONPATH=/opt/Megatron-LM:/srv/app/lib:/opt/y PATH=/opt/rocm/bin:/usr/x:$PATH\n",
    ),
    "MN902": (
        "Dockerfile",
        DOCKER + "ENV PYTHONPATH=/usr/x:$PYTHONPATH\n",
        2,
        DOCKER
        + "ENV PYTHONPATH=/usr/x${PYTHONPATH:+:$PYTHONPATH}\nENV PYTHONPATH=/usr/y:$PYTHONPATH PATH=$PATH:/usr/z\n",
    ),
    "MN903": (
        "Dockerfile",
        DOCKER + "# Apply the two patches that vLLM needs\nRUN pip install vllm==0.12.0\n",
        2,
        DOCKER + "# Apply the patch\nRUN git apply x.patch\n# No patches are applied\n# A patch release\nRUN true\n",
    ),
    "MN904": (
        "Dockerfile",
        "# docker build --build-arg TORCH=2.9.1 .\n" + DOCKER,
        1,
        "# docker build --build-arg TORCH=2.9.1 --build-arg HTTP_PROXY=x .\n" + DOCKER + "ARG TORCH\n",
    ),
    "MN905": (
        "Dockerfile",
        DOCKER + "RUN apt-get update && \\\n    apt-get install -y linux-image-generic\n",
        3,
        DOCKER + "RUN apt-get install -y libibverbs1 linux-libc-dev && ./efa_installer.sh -y --skip-kmod\n",
    ),
    "MN906": (
        "Dockerfile",
        "FROM ubuntu:24.04 AS a\nFROM scratch\n",
        1,
        f"ARG B=ubuntu:24.04@sha256:{'0' * 64}\nFROM ${{B}} AS a\nFROM a\nFROM scratch\n",
    ),
}

MORE = [
    ("MN703", "Dockerfile", DOCKER + "RUN apt-get install -no-install-recommends -y git\n", 2),
    ("MN703", "Dockerfile", DOCKER + "RUN python3 -m pip install -no-deps x\n", 2),
    ("MN703", "Dockerfile", DOCKER + 'RUN ["pip", "install", "-no-deps", "x"]\n', 2),
    (
        "MN703",
        "Dockerfile",
        DOCKER + "RUN --mount=type=cache,target=/x \\\n    git clone -depth 1 -b v1 https://h/x\n",
        3,
    ),
    ("MN703", "Dockerfile", DOCKER + "RUN <<EOF\npip install -no-deps x\nEOF\n", 3),
    ("MN703", "a.sh", "srun -overlap x\n", 1),
    ("MN703", "a.sh", "apptainer exec -nv x.sif y\n", 1),
    ("MN703", "a.sh", "ray start -head --port 1\n", 1),
    ("MN704", "Dockerfile", "ARG V=1\n" + DOCKER + "RUN pip install x==$V\n", 3),
    ("MN704", "Dockerfile", DOCKER + "RUN curl -o x https://h/$TARGETARCH\n", 2),
    ("MN704", "Dockerfile", DOCKER + "RUN cat <<E >x\n$UNKNOWN_THING\nE\n", 3),
    ("MN704", "Dockerfile", "FROM a AS one\nARG V=1\nFROM one\nRUN echo $V\n", 4),
    ("MN705", "Dockerfile", DOCKER + "ARG REF\nRUN pip install git+https://h/x@${REF}\n", 3),
    ("MN706", "x.def", DEF + "%post\n  sed -i 's/a/b/' /opt/x.py\n  grep -q b /opt/y.py\n", 4),
    ("MN707", "Dockerfile", DOCKER + "ENV MASTER_ADDR=h RANK=0\n", 2),
    ("MN707", "Dockerfile", DOCKER + "ENV CUDA_VISIBLE_DEVICES 0\n", 2),
    ("MN707", "Dockerfile", DOCKER + "RUN echo 'export NCCL_SOCKET_IFNAME=eth0' >> ~/.bashrc\n", 2),
    ("MN707", "x.def", DEF + '%post\n  echo "export RAY_ADDRESS=h:1" >> $APPTAINER_ENVIRONMENT\n', 4),
    ("MN784", "x.def", DEF + "%environment\n  export HF_TOKEN=hf_abcdefghijklmnopqrstuv\n", 4),
    ("MN784", "Dockerfile", DOCKER + "RUN git clone -b v1 https://me:s3cretpass@h/x\n", 2),
    ("MN784", "Dockerfile", DOCKER + "ENV AWS_SECRET_ACCESS_KEY=x\n", 2),
    ("MN790", "Dockerfile", DOCKER + "RUN pip install git+https://h/a/x.git\n", 2),
    ("MN790", "Dockerfile", DOCKER + "RUN pip install git+https://h/a/x@main\n", 2),
    ("MN790", "Dockerfile", DOCKER + "RUN git clone -b main https://h/a/x\n", 2),
    ("MN790", "Dockerfile", DOCKER + "RUN git clone https://h/x && cd x && git checkout origin/main\n", 2),
    ("MN790", "Dockerfile", DOCKER + "RUN curl -LO https://github.com/a/b/archive/refs/heads/main.tar.gz\n", 2),
    ("MN790", "Dockerfile", DOCKER + "ADD https://h/a/x.git /x\n", 2),
    ("MN901", "x.def", DEF + "%environment\n  export LD_LIBRARY_PATH=/opt/gone/lib\n", 4),
    ("MN902", "Dockerfile", DOCKER + 'ENV LD_LIBRARY_PATH="/usr/x::/usr/y"\n', 2),
    ("MN905", "Dockerfile", DOCKER + "RUN ./efa_installer.sh -y -g\n", 2),
    ("MN900", "a.sbatch", "#!/usr/bin/env python3\n#SBATCH -N 1\nimport os\n", 1),
    ("MN732", "a.sbatch", "#!/bin/zsh\n#SBATCH --partion=x\nsetopt x\n", 2),
    ("MN798", "x.def", "Bootstrap: docker\r\nFrom: x\r\n", 1),
]
"""Other forms of a defect, on their lines."""

RIGHT = [
    ("MN703", "a.sh", "srun -n2 -N 2 -Jx docker run -it -v /a:/a img -no-deps\ntar -xzf x\ncurl -fsSLo x y\n"),
    (
        "MN704",
        "Dockerfile",
        DOCKER + 'RUN . /etc/os-release && echo "$VERSION_CODENAME" && echo "don\'t $(uname -m)"\n',
    ),
    ("MN704", "Dockerfile", "FROM a AS one\nENV V=1\nFROM one\nRUN for F in a b; do echo $F $V ${W:-x}; done\n"),
    ("MN704", "Dockerfile", DOCKER + "RUN cat <<'E' >x && awk '{print $NF}' x\n$UNKNOWN_THING\nE\n"),
    ("MN705", "a.sky.yaml", "envs:\n  REF: v1\nrun: |\n  pip install git+https://h/x@${REF} git+https://h/y@${R:?}\n"),
    (
        "MN706",
        "Dockerfile",
        DOCKER + "RUN sed -i 's/x/y/' /etc/ssh/sshd_config\nRUN sed -i s/a/b/ a.py\nRUN grep b a.py\n",
    ),
    ("MN707", "Dockerfile", DOCKER + "ENV RAY_USAGE_STATS_ENABLED=0 NCCL_DEBUG=WARN\nARG RANK=0\n"),
    ("MN784", "Dockerfile", DOCKER + "ENV TOKENIZERS_PARALLELISM=false GOOGLE_APPLICATION_CREDENTIALS=/run/gcp.json\n"),
    ("MN790", "Dockerfile", DOCKER + "RUN git clone https://h/x x && git -C x checkout 0a1b2c && git clone /src y\n"),
    ("MN790", "Dockerfile", DOCKER + "ARG R=v1\nRUN pip install git+https://h/x@${R} 'y @ git+ssh://git@h/y@v2'\n"),
    (
        "MN771",
        "a.sh",
        "unset ROCR_VISIBLE_DEVICES\n# not for rocm\n[[ -e /dev/nvidia0 ]]\napptainer exec --nv a.sif y\n",
    ),
    ("MN716", "a.sh", 'for p in $(pgrep -f raylet); do grep -qz "JOB=$1" "/proc/$p/environ"; done\n'),
    ("MN719", "a.sh", "srun x || { sleep 1 && exit 78; }\n"),
    ("MN777", "a.sh", 'id=manual-$(id -u)\ndocker run --name "train-$id" img\n'),
    ("MN783", "a.sh", "sky launch ${HF_TOKEN:+--secret=HF_TOKEN} task.yaml\n"),
    ("MN901", "Dockerfile", "FROM verlai/verl:x\nENV PYTHONPATH=/sgl-workspace/x\n"),
    ("MN902", "Dockerfile", "FROM nvidia/cuda:12\nENV LD_LIBRARY_PATH=/usr/x:$LD_LIBRARY_PATH\n"),
    ("MN707", "Dockerfile", DOCKER + "ENV NCCL_SOCKET_IFNAME=^docker0,lo\n"),
    ("MN710", "a.sh", "echo start | tee -a log\ncat <<E | tee conf\nx\nE\n"),
    ("MN715", "a.sh", "n=$(squeue -h | wc -l)\ng=$(nvidia-smi -L | wc -l)\n"),
    ("MN722", "a.sh", 'ids=()\nfor x in a b; do\n  ids+=("$nodes")\ndone\necho "${ids[0]}"\n'),
    ("MN723", "a.sh", "srun bash -c '\n  d=\"'\"$dir\"'/x\"\n'\n"),
    ("MN727", "a.sh", 'args=(a)\nargs+=(b)\nargs+=(c)\nx "${args[@]}"\n[[ $i == *:* ]] && u=1 || u=2\n'),
    ("MN753", "a.sh", "x --server=$LEAD_HOST:12345 $MASTER_ADDR:$MASTER_PORT\n"),
    ("MN753", "a.sh", 'a=$ip:$port\nif [[ $ip == *:* ]]; then a="[$ip]:$port"; fi\n'),
    ("MN756", "a.sh", 'RAY_ADDRESS=${RAY_ADDRESS:-x}\nray job stop --address "$RAY_ADDRESS" id\n'),
    ("MN758", "a.sh", 'o=(--block)\nray start --address "$a" "${o[@]}"\nray start --address "$a" "$@"\n'),
    ("MN778", "a.sh", "docker run -d --restart always exporter\n"),
    ("MN783", "a.sh", 'f() { x; }\nf "$DB_SECRET"\ngrep -q "$PUBLIC_KEY" x\ncurl -H "T: $TOKEN" 169.254.169.254\n'),
    ("MN784", "Dockerfile", DOCKER + f"ARG DEEPEP_COMMIT={'0a' * 20}\nENV A_TOKEN_LIMIT=12345678\n"),
    ("MN784", "a.sh", "export HF_TOKEN=hf_xxxxxxxxxxxxxxxxxxxxxxxx\n"),
    ("MN790", "a.sh", "echo see https://github.com/a/b/raw/main/x\n"),
    ("MN798", "a.dstack.yml", "type: task\r\ncommands:\r\n  - bash x\r\n"),
]
"""Texts that look like a defect and are none."""
