"""Variables of a task that the batch script's own shell expands, and those that each task's shell expands."""

from rule_beginnings import SB

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN724", "a.sbatch", f"{SB}{text}\n")
        for text in (
            "srun bash -c 'torchrun --node_rank=$SLURM_PROCID t.py'",
            "srun bash -c 'export RANK=$SLURM_PROCID; train'",
            'srun bash -c "torchrun --node_rank=\\$SLURM_PROCID t.py"',
            "srun bash <<'E'\nexport RANK=$SLURM_PROCID\ntrain --rank $RANK\nE",
            "srun bash <<E\nexport RANK=\\$SLURM_PROCID\ntrain --rank \\$RANK\nE",
            "cat > t.sh <<'E'\nexport RANK=$SLURM_PROCID\ntrain\nE\nsrun bash t.sh",
            "CMD='torchrun --node_rank=$SLURM_PROCID'\nsrun bash -c \"$CMD\"",
            'CMD="torchrun --node_rank=\\$SLURM_PROCID"\nsrun bash -c "$CMD"',
            "srun --output=x-%t.log train",
            "srun torchrun --node_rank='$SLURM_PROCID' t.py",
            # the batch script's own part
            'if [[ "$SLURM_PROCID" == 0 ]]; then prepare; fi\nsrun train',
            "rank=$SLURM_PROCID\necho $rank\nsrun train",
            "srun train\nexport RANK=$SLURM_PROCID\npython report.py",
            "echo $SLURM_NODEID\nRANK=$SLURM_PROCID python x.py\nsrun train",
            "task() {\n  export RANK=$SLURM_PROCID\n  train\n}\nif [[ $1 == task ]]; then task; else srun $0 task; fi",
            # one task, which is the first
            "srun -N1 -n1 torchrun --node_rank=$SLURM_NODEID t.py",
            # another meaning
            "for ((SLURM_NODEID = 0; SLURM_NODEID < 2; SLURM_NODEID++)); do srun -n1 t --node_rank=$SLURM_NODEID; done",
            "SLURM_NODEID=$(rank)\nsrun torchrun --node_rank=$SLURM_NODEID t.py",
        )
    ),
    ("MN724", "a.sh", "export RANK=$SLURM_PROCID\ntorchrun --node_rank=$SLURM_NODEID t.py\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN724", "a.sbatch", f"{SB}{text}\n", line)
        for text, line in (
            ("srun torchrun --node_rank=$SLURM_PROCID t.py", 3),
            ("srun -N2 -n2 torchrun --nnodes=2 \\\n  --node_rank ${SLURM_NODEID} t.py", 4),
            ('srun apptainer exec x.sif torchrun --node_rank "${SLURM_NODEID}" t.py', 3),
            ("srun docker run -e LOCAL_RANK=$SLURM_LOCALID img train", 3),
            ("srun env RANK=$SLURM_PROCID python t.py", 3),
            ("srun python t.py --rank ${SLURM_PROCID:-0} &\nwait $!", 3),
            ("for n in $nodes; do\n  srun -N1 -n1 -w $n t --node_rank=$SLURM_NODEID &\ndone\nwait", 4),
            ("export RANK=$SLURM_PROCID\nsrun train", 3),
            ('export RANK="${SLURM_PROCID}" LOCAL_RANK=$SLURM_LOCALID\ntrue\nsrun train', 3),
            ("RANK=$SLURM_PROCID\nexport RANK\nsrun train", 3),
            ("NODE_RANK=$SLURM_NODEID\nsrun torchrun --node_rank=$NODE_RANK t.py", 3),
            ('ARGS=(--nnodes=2 --node_rank=$SLURM_NODEID)\nsrun torchrun "${ARGS[@]}" t.py', 3),
            ('CMD="torchrun --node_rank=$SLURM_NODEID t.py"\nsrun bash -c "$CMD"', 3),
            ("RANK=$SLURM_PROCID srun train", 3),
        )
    ),
]
