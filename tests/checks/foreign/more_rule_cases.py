"""A defect for each rule from MN740 on, and the same done right."""

from rule_beginnings import DSTACK, SB, SKY

# code: (file name, a text with the defect, its line, the same done right)
CASES = {
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
    "MN794": ("a.dstack.yml", DSTACK + "  - x\n  - '[[ -d y ]]'\n", 6, DSTACK + "  - '[ -d y ]'\n"),
    "MN795": ("a.dstack.yml", DSTACK + "  - x\n", 2, DSTACK + "  - x\nstop_criteria: master-done\n"),
    "MN796": ("a.dstack.yml", DSTACK + "  - |\n    a\n    b\n    c\n", 6, DSTACK + "  - bash boot.sh\n"),
    "MN797": ("a.dstack.yml", DSTACK + "  - x\nvolumes:\n  - /c:/c\n", 7, DSTACK + "  - x\nvolumes:\n  - net:/c\n"),
}

STEPS = SB + "#SBATCH --exclusive\n"
AFTER = " --overlap --nodes=1 --ntasks=1 ray start --head --block &\npid=$!\nsrun --overlap -N1 -n1 true\n"

# what starts a program: each line is followed by the program's name
STARTERS = (
    *("uv run", "uv run --no-sync --python 3.12 --with ray", "uv run --", "poetry run", "pipenv run", "pdm run"),
    *("conda run -n rl", "conda run --no-capture-output --name rl", "micromamba run -p /opt/x", "mamba run -n rl"),
    *("pixi run -e gpu", "nice", "nice -n 10", "nice -10", "ionice -c 2 -n 0", "numactl -N 0", "numactl -N0 -m 0"),
    *("numactl --cpunodebind=0 --membind 0", "taskset -c 0-7", "taskset 0xff", "chrt -f 50", "stdbuf -o L -eL"),
    *("shifter --image=a/b:v1", "shifter --module gpu --image a/b:v1", "enroot start --rw -m /a:/a box"),
    *("timeout -k 5 300", "timeout --signal=TERM 300", "sudo -u me A=1", "env -u X A=1", "nohup setsid -w"),
    *("ssh $h", 'ssh -o BatchMode=yes -p 22 "$h"', "ssh -tt me@h --", "eval", "$RUN", '"${run[@]}"', '"$RUN"'),
    *("RUN=srun\n$RUN", "RUN='srun -N1 --overlap'\n$RUN", 'run=(docker exec c)\n"${run[@]}"', "$A $B"),
    *("srun uv run", "docker exec c nice -n 5", "srun --overlap $RUN", "$RUN uv run", "uv run --project . nice"),
)

# the same defect behind what starts a program, or with its options in a variable
MORE = [
    *(
        ("MN761", "a.sbatch", f"{STEPS}{start} ray start --head --dashboard-host=0.0.0.0\n", 4 + start.count("\n"))
        for start in (
            "OPTS=--container-image=/i.sqsh\nsrun $OPTS --overlap -N1",
            "OPTS='--container-image=/i.sqsh --no-container-entrypoint'\nsrun --overlap ${OPTS} -N1",
            "OPTS=-N1\nOPTS+=' -n1'\nsrun $OPTS",
            'OPTS=-N1\nOPTS="$OPTS -n1"\nsrun $OPTS',
            "OPTS=\nif x; then OPTS=-N1; fi\nsrun $OPTS",
            "if x; then OPTS=-N1; else OPTS=-N2; fi\nsrun $OPTS",
            "srun $OPTS",
            "srun $OPTS $MORE -N1",
            "srun ${MEM:+--mem=$MEM} -N1",
            'srun "$@"',
            'srun "${opts[@]}" -N1',
            "OPTS='-e A=1'\ndocker run $OPTS img",
            "OPTS=--nv\napptainer exec $OPTS $SIF",
        )
    ),
    *(("MN761", "a.sh", f"{x} ray start --head --dashboard-host=::\n", x.count("\n") + 1) for x in STARTERS),
    *(("MN752", "a.sh", f"ip=$({x} hostname -i)\n", 1) for x in ('ssh "$h"', "srun -N1 -w $h", "nice -n 1")),
    ("MN752", "a.sh", 'ip=$(ssh "$h" "hostname -I | head -n 1")\n', 1),
    ("MN762", "a.sh", 'for h in $hosts; do ssh "$h" "source env; ray stop --force"; done\n', 1),
    ("MN762", "a.sh", "ssh \"$h\" <<'E'\ntrue\nray stop\nE\n", 3),
    ("MN762", "a.sh", "ssh -p 22 \"$h\" bash -s <<'E'\ntrue\nray stop\nE\n", 3),
    ("MN762", "a.sh", "ssh $h '\n  cd x\n  ray stop\n'\n", 3),
    ("MN762", "a.sh", 'eval "ray stop $x"\n', 1),
    ("MN762", "a.sh", 'CMD="ray stop"\neval "$CMD"\n', 2),
    ("MN762", "a.sh", 'RAY=/opt/x/bin/ray\n"$RAY" stop\n', 2),
    ("MN750", "a.sh", "uv run ray nodes\n", 1),
    ("MN756", "a.sh", "ray start --head\nuv run -m verl.trainer\n", 2),
    ("MN756", "a.sh", "ray start --head\nuv run train.py\n", 2),
    ("MN756", "a.sh", "ray start --head\nray job submit -- python3 -m verl.trainer.main_ppo\n", 2),
    ("MN756", "a.sh", "ray start --head\npython3 train.py --address=x model.array_address=y\n", 2),
    ("MN760", "a.sbatch", STEPS + "ray start --head --temp-dir=$HOME/ray\n", 4),
    ("MN732", "a.sbatch", "#!/bin/bash\n#SBATCH --license=scratch\n", 2),
    ("MN732", "a.sbatch", SB + "#SBATCH --partit gpu --mem=1G --mem-per-c=1G\n", 3),
    *(
        ("MN731", "a.sbatch", SB + f"{line}\ntrue\n", 3)
        for line in (
            *(
                "  #SBATCH --mem=1G",
                "\t#SBATCH -N2",
                "# SBATCH --nodes 2 -x a",
                "#  SBATCH --mem=1G",
                " # SBATCH --mem=1G",
            ),
            "# SBATCH --exclusive    # whole nodes",
        )
    ),
    ("MN731", "a.sbatch", SB + "if x; then\n  #SBATCH --mem=1G\n  true\nfi\n", 4),
    ("MN731", "a.slurm", "#!/bin/bash\n# SBATCH --nodes=2\nsrun true\n", 2),
    ("MN766", "a.sky.yaml", "run: python3 t.py; ray start --head --num-gpus=$(python3 x.py)\n", 1),
    ("MN766", "a.sky.yaml", "run: >\n  python3 t.py;\n  ray start --head;\n", 3),
    ("MN710", "a.sh", "ssh $h 'a; b' | tee log\n", 1),
    ("MN710", "a.sh", "srun bash -c 'a; b' | tee log\n", 1),
    ("MN761", "a.sh", "OPTS='--dashboard-host=0.0.0.0 --block'\nray start --head $OPTS\n", 2),
    ("MN736", "a.sbatch", SB + "A=-N1\nsrun $A --overlap a &\npid=$!\nsrun $A b\n", 6),
    ("MN758", "a.sh", "A='--num-cpus 4'\nray start --address=h:1 $A\n", 2),
]

# the right way, in words that were misread
RIGHT = [
    ("MN736", "a.sbatch", SB + f"A=--container-image=/i.sqsh\nsrun $A{AFTER}"),
    ("MN736", "a.sbatch", SB + "A='--overlap -N1'\nsrun $A a &\npid=$!\nsrun $A b\n"),
    ("MN736", "a.sbatch", SB + "srun $A a &\npid=$!\nsrun $A b\n"),
    ("MN736", "a.sbatch", SB + 'srun "${a[@]}" a &\npid=$!\nsrun "${a[@]}" b\n'),
    ("MN736", "a.sbatch", SB + "a=$(srun $A x)\nb=$(srun --overlap y)\n"),
    ("MN758", "a.sh", "A='--num-cpus 4 --block'\nray start --address=h:1 $A\n"),
    ("MN758", "a.sh", "ray start --address=h:1 $A\n"),
    ("MN758", "a.sh", "ray start --address=h:1 ${BLOCK:+--block}\n"),
    ("MN772", "a.sh", "A=--cleanenv\napptainer exec $A x.sif train\n"),
    ("MN735", "a.sbatch", SB + "#SBATCH --ntasks-per-node=2\nA=--ntasks-per-node=1\nsrun $A ray start --head\n"),
    ("MN744", "a.sbatch", SB + "ssh $h docker exec c x\n"),
    ("MN744", "a.sbatch", SB + "$RUN docker exec c x\n"),
    ("MN744", "a.sbatch", SB + "RUN='srun -N2'\n$RUN docker exec c x\n"),
    ("MN782", "a.sh", 'eval "$(printenv-to-exports)"\nssh $h env\nnice env A=1 x\n'),
    (
        "MN762",
        "a.sh",
        'grep ray stop\n$ECHO no ray stop\nuv pip run ray stop\necho "$X" ray stop\n',
    ),
    *(
        ("MN756", "a.sh", f"ray start --head\n{driver}\n")
        for driver in (
            "ray job submit --address=http://127.0.0.1:8265 -- python3 -m verl.trainer.main_ppo",
            'ray job submit --address "$api" --working-dir . -- bash -c "python3 train.py"',
            'python3 train.py --ray-address "$head"',
            "python3 train.py --ray_address=auto",
            'python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init.address="$head"',
            'docker exec -e RAY_ADDRESS="$head" c python3 train.py',
            "env RAY_ADDRESS=$head uv run train.py",
        )
    ),
    ("MN755", "a.sbatch", STEPS + "ray start --head\n"),
    ("MN760", "a.sbatch", STEPS + "ray start --head\n"),
    ("MN732", "a.sbatch", SB + "#SBATCH --licenses=a --partition=b -C c\n"),
    *(
        ("MN731", file, SB + text)
        for file in ("a.sbatch", "a.sh")
        for text in (
            "##SBATCH --mem=1G\n# #SBATCH --mem=1G\n",
            "# SBATCH --exclusive is needed here\n# SBATCH -- see below\n# SBATCH reads --mem\n",
            "# sbatch --mem=1G job.sbatch\n#sbatch --mem=1G\n",
            "cat > x <<E\n  #SBATCH --mem=1G\n# SBATCH --mem=1G\nE\n",
            "x='\n #SBATCH --mem=1G\n'\n",
        )
    ),
    *(
        ("MN766", "a.sky.yaml", f"num_nodes: 2\nrun: {text}\n")
        for text in (
            *(
                "ray start --head; python3 t.py",
                "ray start --head && uv run t.py",
                "|\n  ray start --head; vllm serve x",
            ),
            ">\n  if x; then\n  ray start --head;\n  python3 t.py;\n  else\n  ray start --address=$h:1 --block;\n  fi",
            "docker run x bash -c 'ray start --head && python3 t.py'",
            '"ray start --head\\npython3 t.py"',
        )
    ),
]
