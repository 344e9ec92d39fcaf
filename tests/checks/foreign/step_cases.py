"""Steps of a job beside each other: which of them share its nodes, and which wait."""

from rule_beginnings import SB

ONE = "#!/bin/bash\n#SBATCH --nodes=1\n"
CPUS = ONE + "#SBATCH --ntasks-per-node=2 --cpus-per-task=4\n"
GPUS = SB + "#SBATCH --gpus-per-node=8\n"
NODES = SB + 'nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))\n'
SERVE = "srun -N1 -n1 -w {} serve &\npid=$!\nsrun -N1 -n1 --nodelist={} train\n"
"""A step that serves, and one that trains while it does, each on its node."""
APART = (
    *(('"${nodes[1]}"', '"${nodes[0]}"'), ("$A", "$B"), ('"$A"', "${B}"), ("n1", "n2"), ("n1,n2", "n3")),
    *(("$H", "${nodes[1]}"), ('"$A,$B"', '"$C"')),
)
MEETING = (
    *(('"${nodes[0]}"', "${nodes[0]}"), ("$A", '"$A"'), ("n1", "n1"), ("n1,n2", "n2"), ('"$A,$B"', '"$B"')),
    *(('"$SLURM_JOB_NODELIST"', '"${nodes[0]}"'), ("$H", "${nodes[0]}")),
)
HEAD = "srun -N1 -w ${nodes[0]} a &\n"
FIRST = "for i in {}; do\n  srun -N1 -w {}"
H = "H=${nodes[0]}\n"
ANEW = (
    NODES
    + 'last=${nodes[-1]}\nnodes=$(IFS=,; echo "${nodes[*]:0:1}")\nsrun -N1 -n1 -w $last serve &\npid=$!\n'
    + 'ARGS=" \\\n  --wait=60 \\\n  --nodes=1 \\\n  --nodelist=$nodes"\nsrun $ARGS train\n'
)
"""A name that has had another value, and options that a variable holds in several lines."""
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

RIGHT += [
    # each on nodes of its own, whether or not they are together in the background
    *(("MN736", "a.sbatch", NODES + H + SERVE.format(*pair)) for pair in APART),
    ("MN736", "a.sbatch", ANEW),
    ("MN736", "a.sbatch", SB + "srun -w n1 a &\nsrun -w n2 b &\nwait\n"),
    ("MN736", "a.sbatch", SB + "srun -N1 -w $a serve &\nsrun -N1 -w $b train &\nwait -n\n"),
    ("MN736", "a.sbatch", SB + "srun -N1 -r0 serve &\nsrun -N1 -r1 train &\nwait -n\n"),
    ("MN736", "a.sbatch", SB + "A='-N1 -w n1'\nB='-N1 -w n2'\nsrun $A a &\npid=$!\nsrun $B b\n"),
    ("MN736", "a.sbatch", NODES + 'A=(-N1 -w "${nodes[1]}")\nsrun "${A[@]}" a &\nsrun -N1 -w "${nodes[0]}" b\n'),
    *(
        ("MN736", "a.sbatch", NODES + f"{HEAD}{loop}; do\n  srun -N1 -w ${{nodes[$i]}} b &\ndone\n")
        for loop in ("for ((i = 1; i < 2; i++))", "for i in {1..2}", "for i in $(seq 1 2)")
    ),
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

WRONG += [
    *(("MN736", "a.sbatch", NODES + H + SERVE.format(*pair), 7) for pair in MEETING),
    # a third that is on the node of the second, and one that is everywhere
    ("MN736", "a.sbatch", SB + "srun -N1 -w n1 a &\nsrun -N1 -w n2 b &\npid=$!\nsrun -N1 -w n2 c\n", 6),
    ("MN736", "a.sbatch", SB + "srun -N1 -w n1 a &\npid=$!\nsrun b\n", 5),
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
    # on other nodes perhaps, one of the two, or each with an allocation of its own
    ("MN736", "a.sbatch", SB + "srun -N1 -w n1 a &\npid=$!\nsrun -N1 b\n"): "note",
    ("MN736", "a.sbatch", SB + "srun -N1 -w n1 a &\npid=$!\nsrun -N1 -r1 b\n"): "note",
    ("MN736", "a.sbatch", SB + "srun -N1 -w n1 a &\npid=$!\nsrun -N2 -w n2 b\n"): "note",
    ("MN736", "a.sbatch", SB + "srun -N1 -w n1 a &\npid=$!\nsrun -N1 -w 'n[1-2]' b\n"): "note",
    ("MN736", "a.sbatch", NODES + "srun -N1 -w ${nodes[$i]} a &\npid=$!\nsrun -N1 -w ${nodes[0]} b\n"): "note",
    # one word, and two loops that set it
    **{
        ("MN736", "a.sbatch", f"{NODES}{loop} a &\ndone\n{other} b\ndone\n"): "note"
        for loop, other in (
            (FIRST.format("0 1", "${nodes[$i]}"), FIRST.format("2 3", "${nodes[$i]}")),
            (FIRST.format("n1 n2", "$i"), FIRST.format("n3 n4", "$i")),
            (FIRST.format("0 1", "${nodes[i]}"), FIRST.format("2 3", "${nodes[i]}")),
        )
    },
    # a loop whose steps are all on one node
    (
        "MN736",
        "a.sbatch",
        NODES + FIRST.format("0 1", "n1").replace("srun", "srun --overlap") + " a &\ndone\nsrun -N1 -w n1 b\n",
    ): "error",
    ("MN736", "a.sbatch", NODES + "srun -N1 -w $(hostname) a &\npid=$!\nsrun -N1 -w ${nodes[0]} b\n"): "note",
    **{
        ("MN736", "a.sbatch", NODES + H + SERVE.format(*pair).replace("srun", "srun --overlap", 1)): "error"
        for pair in MEETING
    },
    ("MN736", "a.sbatch", SB + "srun --overlap -N1 -w n1 a &\npid=$!\nsrun b\n"): "error",
    ("MN736", "a.sbatch", SB + "srun -N1 serve &\nsrun -N1 -r1 train &\nwait -n\n"): "note",
    ("MN736", "a.sbatch", SB + "if x; then\n  srun a &\nelse\n  srun b &\nfi\nwait -n\n"): "note",
    ("MN736", "a.sh", BOTH + "wait -n\n"): "note",
}
