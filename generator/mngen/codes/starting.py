"""Codes of the lint of foreign files: what starts on which nodes. Title, explanation and example."""

from __future__ import annotations

STARTING_CODES: dict[str, tuple[str, ...]] = {
    "MN923": (
        "head that no other node joins",
        (
            "The job has several nodes, and Ray uses one. SkyPilot and dstack run the commands on every node, and a "
            "bare `srun` starts its command on every node too: without a choice by rank each of them starts a head of "
            "its own. The shell of a batch script runs on the first node alone: what it starts there has no workers "
            "unless something starts Ray on the others. It is not told where a script or program is called that "
            "cannot be looked into and may start them."
        ),
        (
            'if [ "${SKYPILOT_NODE_RANK}" = 0 ]; then\n  ray start --head --port=6379\nelse\n'
            '  ray start --address="${HEAD}:6379" --block\nfi'
        ),
    ),
    "MN924": (
        "launcher that waits for other nodes",
        (
            "torchrun, accelerate and their like start the processes of one node and wait until as many nodes as they "
            "were told have come. In the shell of a batch script one alone is started, on the first node, and waits "
            "until the time limit; so do all when they are told more nodes than the job has. Start one on each node "
            "by srun, and let each task's own shell put its rank there."
        ),
        ('srun --ntasks-per-node=1 bash -c \'torchrun --nnodes="$SLURM_NNODES" --node_rank="$SLURM_NODEID" …\''),
    ),
    "MN925": (
        "list of nodes cut in its brackets",
        (
            "SLURM_JOB_NODELIST is written as short as it goes: `node[01-02,05]`. Commas may stand in the brackets, so "
            "what is cut at them is `node[01-02` and no host, as soon as the names of two nodes begin alike. "
            "`scontrol show hostnames` writes the names out, one a line."
        ),
        'head=$(scontrol show hostnames "${SLURM_JOB_NODELIST}" | head -n 1)',
    ),
}
