"""Launchers that start the processes of one node and wait for the others: on which nodes, and how often on one."""

SB = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\nset -euo pipefail\n"
EIGHT = SB.replace("node=1", "node=8")
RUN = "torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 --node_rank=$SLURM_NODEID --master_addr=$MASTER_ADDR t.py"
RDZV = "torchrun --nnodes $SLURM_JOB_NUM_NODES --nproc-per-node 8 --rdzv_backend c10d --rdzv_endpoint $h:29500 t.py"
ACC = "accelerate launch --num_machines 2 --machine_rank $SLURM_NODEID --num_processes 16 t.py"
SGL = "python3 -m sglang.launch_server --model m --tp 16 --nnodes 2 --node-rank $SLURM_NODEID"
VLLM = "vllm serve m --nnodes 2 --node-rank $SLURM_NODEID"
SKY = "num_nodes: 2\nrun: |\n  torchrun --nnodes={} --node_rank=$SKYPILOT_NODE_RANK t.py\n"

# code: (file name, a text with the defect, its line, the same done right)
CASES = {"MN924": ("a.sbatch", f"{SB}{RUN}\n", 5, f"{SB}srun bash -c '{RUN}'\n")}

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN924", "a.sbatch", SB + text)
        for text in (
            *(f"srun bash -c '{run}'\n" for run in (RUN, RDZV, ACC, SGL, VLLM)),
            *(f"srun {run}\n" for run in (RUN, RDZV, ACC)),
            f"srun bash <<'X'\n{RUN}\nX\n",
            f"srun --container-image=/i.sqsh apptainer exec x.sif {RDZV}\n",
            "torchrun --standalone --nproc_per_node=8 t.py\n",
            "torchrun --nnodes=1 --nproc_per_node=8 t.py\n",
            "torchrun --nnodes=1:4 t.py\n",
            "torchrun --nproc_per_node=8 t.py --nnodes 2\n",
            "accelerate launch --num_processes 8 t.py\n",
            "python3 train.py --nnodes 2\n",
            # others are started beside it, or the shell comes here again in a step
            f"ssh $other '{RUN}' &\n{RUN}\n",
            f"srun -x $head {RUN} &\n{RUN}\n",
            f"pdsh -w $others bash /shared/node.sh &\n{RUN}\n",
            f"for n in 0 1; do {RUN} & done\nwait\n",
            f'if [ -n "$INNER" ]; then\n  {RUN}\n  exit\nfi\nINNER=1 srun bash "$0"\n',
            f"start() {{\n  {RUN}\n}}\nexport -f start\nsrun bash -c start\n",
            f"cat > node.sh <<'X'\n{RUN}\nX\nsrun bash node.sh\n",
            f"$LAUNCH {RUN}\n",
        )
    ),
    ("MN924", "a.sh", f"{RUN}\n"),
    ("MN924", "a.sky.yaml", SKY.format("2")),
    ("MN924", "a.sky.yaml", SKY.format("$SKYPILOT_NUM_NODES")),
    ("MN924", "a.sbatch", f"#!/bin/bash\n#SBATCH --nodes=1\n{RUN}\n"),
    ("MN924", "a.sbatch", "#!/bin/bash\n#SBATCH --partition=x\ntorchrun --nnodes=2 t.py\n"),
    *(("MN735", "a.sbatch", f"{SB}srun {run}\n") for run in (RUN, RDZV, ACC, SGL, VLLM)),
    *(
        ("MN735", "a.sbatch", EIGHT + text)
        for text in (
            f"srun --ntasks-per-node=1 {RUN}\n",
            f"srun --ntasks=2 {RDZV}\n",
            "srun torchrun --nnodes=16 --nproc_per_node=1 --node_rank=$SLURM_PROCID t.py\n",
            "srun bash -c 'accelerate launch --num_machines 16 --machine_rank $SLURM_PROCID t.py'\n",
            f"srun bash -c '[ $SLURM_LOCALID = 0 ] || exit 0; {RUN}'\n",
            "srun python t.py\n",
            f"{RUN}\n",
            "srun torchrun t.py\n",
        )
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN924", "a.sbatch", f"{SB}{text}\n", 5 + line)
        for text, line in (
            *((run, 0) for run in (RUN, RDZV, ACC, SGL, VLLM)),
            (f"exec {RUN}", 0),
            (f"srun hostname\n{RUN}", 1),
            (f"apptainer exec --nv x.sif {RUN}", 0),
            ("NNODES=$SLURM_NNODES\ntorchrun --nnodes=$NNODES --node_rank=$SLURM_NODEID t.py", 1),
            ("python -m torch.distributed.run --nnodes=2 --node_rank=0 t.py", 0),
            ("python -u -m torch.distributed.launch --nnodes=2 --node_rank=0 t.py", 0),
            # more than there are, wherever it is started
            ("srun torchrun --nnodes=4 --rdzv_endpoint=$h:1 t.py", 0),
            ("torchrun --nnodes=4 --node_rank=0 t.py", 0),
            ("N=4\nsrun accelerate launch --num_machines=$N t.py", 1),
            ("srun bash -c 'torchrun --nnodes=4 --node_rank=$SLURM_NODEID t.py'", 0),
        )
    ),
    ("MN924", "a.sky.yaml", SKY.format("4"), 3),
    ("MN924", "a.dstack.yml", "type: task\nnodes: 2\ncommands:\n  - torchrun --nnodes=4 t.py\n", 4),
    ("MN924", "a.sbatch", "#!/bin/bash\n#SBATCH --nodes=1\ntorchrun --nnodes=2 --node_rank=0 t.py\n", 3),
    *(
        ("MN735", "a.sbatch", f"{EIGHT}{text}\n", 5)
        for text in (
            "srun torchrun --nproc_per_node=8 t.py",
            *(f"srun bash -c '{run}'" for run in (RUN, RDZV, ACC, SGL, VLLM)),
            f"srun --container-image=/i.sqsh {RDZV}",
            f"srun apptainer exec --nv x.sif {RDZV}",
            "srun torchrun --nnodes=2 --nproc-per-node=gpu --node_rank=$SLURM_PROCID t.py",
        )
    ),
    ("MN735", "a.sbatch", f"{SB}srun --ntasks-per-node=8 {RDZV}\n", 5),
]
