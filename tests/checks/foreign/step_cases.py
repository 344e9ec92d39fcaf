"""Steps of a job beside each other: which of them share its nodes, and which wait."""

from rule_beginnings import SB

ONE = "#!/bin/bash\n#SBATCH --nodes=1\n"
CPUS = ONE + "#SBATCH --ntasks-per-node=2 --cpus-per-task=4\n"
GPUS = SB + "#SBATCH --gpus-per-node=8\n"
BOTH = "srun serve &\na=$!\nsrun train &\nb=$!\n"

# code, file name, a text without that defect
RIGHT = [
    # each has no more than it asks for
    ("MN736", "a.sbatch", CPUS + "srun --exact -n1 -c4 a &\npid=$!\nsrun --exact -n1 -c4 b\n"),
    ("MN736", "a.sbatch", CPUS + "srun --exact -n1 a &\nsrun --exact -n1 b &\nwait -n\n"),
    ("MN736", "a.sbatch", SB + "srun --exact -N2 -n2 -c1 monitor &\npid=$!\nsrun --exact -N2 -n2 -c60 train\n"),
    ("MN736", "a.sbatch", GPUS + "srun --exact -n1 --gpus-per-node=4 a &\nsrun --exact -n1 --gres=gpu:4 b\nwait\n"),
    ("MN736", "a.sbatch", SB + "srun --exact -n1 -c1 monitor &\npid=$!\nsrun --overlap train\n"),
    # one after another, or with an option that is not seen
    ("MN736", "a.sbatch", SB + "srun prepare &\nwait\nsrun train &\nwait\n"),
    ("MN736", "a.sbatch", SB + "srun $A serve &\nsrun $A train &\nwait -n\n"),
    ("MN736", "a.sbatch", SB + "export SLURM_OVERLAP=1\n" + BOTH + "wait -n\n"),
    ("MN736", "a.sbatch", SB + "srun --overlap serve &\nsrun --overlap train &\nwait -n\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    # all of the node, or more than it has
    ("MN736", "a.sbatch", SB + "srun --exact a &\npid=$!\nsrun --exact b\n", 5),
    ("MN736", "a.sbatch", SB + "srun --exact -n1 -c4 a &\npid=$!\nsrun b\n", 5),
    ("MN736", "a.sbatch", SB + "srun a &\npid=$!\nsrun --exact -n1 -c4 b\n", 5),
    ("MN736", "a.sbatch", CPUS + "srun --exact -n2 -c4 a &\npid=$!\nsrun --exact -n1 -c4 b\n", 6),
    ("MN736", "a.sbatch", CPUS + "srun --exact -n1 -c8 a &\npid=$!\nsrun --exact -n1 -c1 b\n", 6),
    ("MN736", "a.sbatch", GPUS + "srun --exact -n1 --gres=gpu:a100:8 a &\nsrun --exact -n1 --gpus-per-node=4 b\n", 5),
]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    # both beside the script, which goes on when one ends
    ("MN736", "a.sbatch", SB + BOTH + "wait -n\n"): "error",
    ("MN736", "a.sbatch", SB + BOTH + 'wait "$b"\n'): "error",
    ("MN736", "a.sbatch", SB + BOTH): "error",
    ("MN736", "a.sbatch", SB + BOTH.replace("srun", "srun -N2 -n2") + "wait -n\n"): "error",
    ("MN736", "a.sbatch", SB + BOTH.replace("srun", 'srun -N "$SLURM_JOB_NUM_NODES"') + "wait -n\n"): "error",
    ("MN736", "a.sbatch", ONE + BOTH.replace("srun", "srun -n1") + "wait -n\n"): "error",
    # one after the other, where both end by themselves
    ("MN736", "a.sbatch", SB + BOTH + "wait\n"): "warning",
    # on other nodes, one of the two, or each with an allocation of its own
    ("MN736", "a.sbatch", SB + "srun -N1 -w $a serve &\nsrun -N1 -w $b train &\nwait -n\n"): "note",
    ("MN736", "a.sbatch", SB + "srun -N1 serve &\nsrun -N1 -r1 train &\nwait -n\n"): "note",
    ("MN736", "a.sbatch", SB + "if x; then\n  srun a &\nelse\n  srun b &\nfi\nwait -n\n"): "note",
    ("MN736", "a.sh", BOTH + "wait -n\n"): "note",
}
