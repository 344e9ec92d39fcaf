"""What a job asks for in its directives: counts that are repeated elsewhere, and numbers without their unit."""

from rule_beginnings import SB

GPUS = SB + "#SBATCH --gpus-per-node=4\n"
ARRAY = SB + "#SBATCH --array=0-7%4\n"
MORE_GPUS = "python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8\n"

# code: (file name, a text with the defect, its line, the same done right)
CASES = {
    "MN919": (
        "a.sbatch",
        SB + "#SBATCH --time=24\nsrun x\n",
        3,
        GPUS + "#SBATCH --time=24:00:00 --time-min=1-0 --mem=480G\nsrun x\n",
    ),
    "MN920": (
        "a.sbatch",
        ARRAY + "srun x || scontrol requeue ${SLURM_JOB_ID}\n",
        4,
        ARRAY + 'srun x || scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"\n',
    ),
}

# code, file name, a text without that defect
RIGHT = [
    ("MN745", "a.sbatch", GPUS + "train trainer.n_gpus_per_node=$SLURM_GPUS_ON_NODE\n"),
    *(
        ("MN745", "a.sbatch", f"{SB}#SBATCH {gpus}\n{MORE_GPUS}")
        for gpus in ("--gpus=16", "--gres=shard:4", "--gres=gpu:a:2,gpu:b:2", "--gpus-per-task=1", "--gres=gpu:$N")
    ),
    *(
        ("MN919", "a.sbatch", f"{GPUS}#SBATCH {request}\nsrun x\n")
        for request in (
            *("--time=15", "-t 30", "--time=45", "--time=11", "--time=12:00", "--time=30:00", "--time=60", "--time=36"),
            *("--time=1440", "--time=2-0", "--time=0", "--time=UNLIMITED", "-t 04:00:00", "--time=24:30", "--time=$T"),
            *("--mem=0", "--mem=480G", "--mem=480M", "--mem=64000", "--mem-per-cpu=4000", "--mem-per-gpu=80G"),
        )
    ),
    ("MN920", "a.sbatch", SB + 'srun x || scontrol requeue "$SLURM_JOB_ID"\n'),
    ("MN920", "a.sbatch", ARRAY + 'scontrol show job "$SLURM_JOB_ID"\n'),
    ("MN920", "a.sbatch", ARRAY + 'scontrol requeue "$1"\n'),
    ("MN919", "a.sbatch", SB + "#SBATCH --mem=480\nsrun x\n"),  # without GPUs it may be a small program
    ("MN919", "a.sbatch", SB + "#SBATCH --time=24\n#SBATCH --time=24:00:00\nsrun x\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN920", "a.sbatch", SB + "#SBATCH -a 3\nscontrol requeue $SLURM_JOBID\n", 4),
    ("MN920", "a.sbatch", ARRAY + "trap 'scontrol requeue \"${SLURM_JOB_ID}\"' USR1\nsrun x & wait\n", 4),
    ("MN919", "a.sbatch", SB + "#SBATCH -N 2 -t 24:00\nsrun x\n", 3),
    *(("MN919", "a.sbatch", f"{SB}#SBATCH --time={time}\nsrun x\n", 3) for time in ("1", "10", "48", "72", "4:00")),
    ("MN919", "a.sbatch", SB + "#SBATCH -J x\n#SBATCH -t72\nsrun x\n", 4),
    ("MN919", "a.sbatch", SB + "#SBATCH --time-min 8\n#SBATCH --time=24:00:00\nsrun x\n", 3),
    *(
        ("MN919", "a.sbatch", f"{SB}#SBATCH {gpus}\n#SBATCH {mem}\nsrun x\n", 4)
        for gpus, mem in (
            ("--gpus-per-node=4", "--mem=480"),
            ("--gres=gpu:a100:4", "--mem 480"),
            ("-G 16", "--mem-per-gpu=80"),
            ("--gpus-per-task=1", "--mem-per-cpu=8"),
            ("--tres-per-task=gres/gpu:1", "--mem=900"),
        )
    ),
]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    **{
        ("MN745", "a.sbatch", f"{SB}#SBATCH {gpus}\n{MORE_GPUS}"): severity
        for gpus, severity in (
            ("--gpus-per-node=4", "error"),
            ("--gpus-per-node=a100:4", "error"),
            ("--gres=gpu:4", "error"),
            ("--gres=gpu:h100:4", "error"),
            ("--gres shard:1,gpu:4", "error"),
            ("--gpus-per-node=8", "note"),
            ("--gres=gpu:a100:8", "note"),
        )
    },
    # the rest of them is another part's
    ("MN745", "a.sbatch", GPUS + "train trainer.n_gpus_per_node=3 rollout.n_gpus_per_node=1\n"): "note",
    ("MN745", "a.sbatch", GPUS + "train trainer.n_gpus_per_node=3 data.x=1\n"): "error",
    ("MN919", "a.sbatch", SB + "#SBATCH --time=24\nsrun x\n"): "note",
    ("MN919", "a.sbatch", GPUS + "#SBATCH --mem=480\nsrun x\n"): "warning",
}
