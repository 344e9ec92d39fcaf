"""Clusters of Ray that no other node joins: every node starts a head, or nothing starts a worker."""

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\nset -euo pipefail\n"
NODES = 'nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))\n'
ON_ONE = 'srun --overlap -N1 -n1 -w "${nodes[0]}"'
START = "ray start --head --port=6379 --block &\n"
TASK = "num_nodes: 4\nrun: |\n"
LIST = "type: task\nnodes: 4\ncommands:\n"
BRANCH = "if [ $SLURM_PROCID = 0 ]; then ray start --head --block; else ray start --address=$h --block; fi"


def _task(text: str) -> str:
    return TASK + "".join(f"  {line}\n" for line in text.splitlines())


def _dstack(text: str) -> str:
    return LIST + "  - |\n" + "".join(f"    {line}\n" for line in text.splitlines())


# code: (file name, a text with the defect, its line, the same done right)
CASES = {
    "MN923": (
        "a.sky.yaml",
        _task("ray start --head --port 6380\npython train.py"),
        3,
        _task(
            'if [ "$SKYPILOT_NODE_RANK" = 0 ]; then\n  ray start --head --port 6380\n  python train.py\nelse\n'
            "  ray start --address=$h:6380 --block\nfi"
        ),
    ),
}

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN923", "a.sbatch", HEAD + text)
        for text in (
            # workers are started
            f"{NODES}{ON_ONE} {START}srun -N1 -n1 -w ${{nodes[1]}} ray start --address=$h:6379 --block &\npython t.py\n",
            f"{NODES}{ON_ONE} {START}for n in ${{nodes[@]:1}}; do ssh $n 'ray start --address=$h --block' & done\nwait\n",
            f"srun bash -c '{BRANCH}'\n",
            f"srun bash <<'X'\n{BRANCH}\nX\n",
            'cmd="ray start --address=$h --block"\nray start --head\npdsh -w $list "$cmd" &\npython t.py\n',
            "ray start --head\nsrun ray start $ARGS &\npython t.py\n",
            "ray start --head\nWORKER='ray start --address=$h'\nsrun bash -c \"$WORKER\" &\npython t.py\n",
            # what cannot be seen may start them
            *(
                f"ray start --head\n{call} &\npython t.py\n"
                for call in (
                    *("srun worker.sh", "srun bash worker.sh", "srun ./worker", "ssh $n bash w.sh", "pdsh -w $l w"),
                    *("srun docker run img", "srun apptainer run x.sif", "bash start_workers.sh", "./workers.sh"),
                    *("ray up c.yaml", 'srun "$0" node', "$START_WORKERS", "srun python -m worker", "sbatch w.sbatch"),
                    *("python start_workers.py", "source lib.sh; start_workers", "parallel -a hosts ssh", "srun $CMD"),
                    *("mpirun -np 2 ./node", "ansible-playbook w.yml", 'srun "${worker[@]}"', "bash <(curl -s h)"),
                    *("join_the_cluster", "srun bash -lc 'cd /w && exec w.sh'", "srun bash -s < node_script"),
                    *("ssh $n 'docker run --gpus all img'", "pdsh -w $l 'cd /w && ./join'", "ssh $n <<'X'\n./w\nX\n"),
                )
            ),
            # the other node is for something else
            f"{NODES}{ON_ONE} {START}srun -N1 -n1 -w ${{nodes[1]}} vllm serve m &\npython t.py\n",
            f"{NODES}ray start --head\nsrun -N1 -n1 -w $second python serve.py &\npython t.py\n",
            # one node, or no Ray that others join
            f"srun --nodes=1 --ntasks=1 {START}srun -n1 -N1 worker\n",
            "srun ray symmetric-run --address $h:6379 -- python t.py\n",
            "srun python t.py\n",
        )
    ),
    ("MN923", "a.sbatch", "#!/bin/bash\n#SBATCH --nodes=1\nray start --head\npython t.py\n"),
    ("MN923", "a.sbatch", "#!/bin/bash\nray start --head\npython t.py\n"),
    ("MN923", "a.sbatch", f"#!/bin/bash\n#SBATCH -N1 -n8\nsrun {START}wait\n"),
    ("MN923", "head.sh", "ray start --head\npython t.py\n"),
    ("MN923", "a.sky.yaml", "num_nodes: 1\nrun: |\n  ray start --head\n  python t.py\n"),
    ("MN923", "a.sky.yaml", "resources: {}\nrun: |\n  ray start --head\n  python t.py\n"),
    ("MN923", "a.dstack.yml", "type: task\ncommands:\n  - ray start --head\n  - python t.py\n"),
    *(
        ("MN923", file, build(text))
        for file, build in (("a.sky.yaml", _task), ("a.dstack.yml", _dstack))
        for text in (
            'if [ "$RANK" = 0 ]; then\n  ray start --head\n  python t.py\nelse\n  bash worker.sh\nfi',
            'if [ "$RANK" = 0 ]; then\n  ray start --head\n  python t.py\nelse\n  python worker.py\nfi',
            '[ "$RANK" = 0 ] || exec ray start --address=$h --block\nray start --head\npython t.py',
            'if [ "$RANK" != 0 ]; then\n  ray start --address=$h --block\n  exit\nfi\nray start --head\npython t.py',
            "case $RANK in\n  0) ray start --head ;;\n  *) ray start --address=$h --block ;;\nesac",
            "~/sky_templates/ray/start_cluster\npython t.py",
            "ray symmetric-run --address $h:6379 -- python t.py",
            "start() {\n  ray start $1\n}\nstart --head",
            "head() {\n  ray start --head\n}\nworker() {\n  join\n}\n[ $RANK = 0 ] && head || worker",
        )
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN923", "a.sbatch", HEAD + text, 5 + line)
        for text, line in (
            ("srun ray start --head --block &\npython t.py\n", 0),
            ("srun --overlap --ntasks-per-node=1 ray start --head --block &\npid=$!\npython t.py\n", 0),
            ("srun --nodes=2 --ntasks=2 apptainer exec x.sif ray start --head --block &\npython t.py\n", 0),
            ("srun -N $SLURM_NNODES ray start --head --block &\npython t.py\n", 0),
            ("srun bash -c 'ray start --head && python t.py'\n", 0),
            ("srun bash <<'X'\nsource ~/venv/bin/activate\nray start --head\npython t.py\nX\n", 2),
            (f"{NODES}{ON_ONE} {START}sleep 20\npython t.py\n", 1),
            (f"{NODES}{ON_ONE} {START}sleep 20\n{ON_ONE} python t.py\n", 1),
            (f"{NODES}{ON_ONE} {START}srun --overlap hostname\nsrun --overlap nvidia-smi -L\npython t.py\n", 1),
            ("ray start --head; python train.py\n", 0),
            ("srun -N1 -n1 -w $h ray start --head --block &\nsrun --overlap -N1 -n1 -w $h python train.py\n", 0),
            ("ray start --head\nsrun --overlap -N1 -n1 -w $head_node python train.py\n", 0),
            ("ssh $n 'mkdir -p /tmp/x'\nray start --head\npython train.py\n", 1),
            ("source ~/miniconda3/etc/profile.d/conda.sh\nconda activate x\nray start --head\npython train.py\n", 2),
            ("# srun ray start --address=$h\nray start --head\nray job submit -- python train.py\nray stop\n", 1),
            ("apptainer exec --nv x.sif ray start --head\napptainer exec --nv x.sif python t.py\n", 0),
        )
    ),
    ("MN923", "a.dstack.yml", f"{LIST}  - pip install ray\n  - ray start --head --port=6379\n  - python t.py\n", 5),
    *(
        ("MN923", file, build(text), line)
        for file, build, line in (("a.sky.yaml", _task, 3), ("a.dstack.yml", _dstack, 5))
        for text in (
            "ray start --head --block &\nsleep 9\npython t.py",
            "ray start --head --num-gpus 8 && python t.py",
            "RAY_DEDUP_LOGS=0 uv run ray start --head\nray job submit -- python t.py",
            'ray start --head --port 6380\nif [ "$SKYPILOT_NODE_RANK" = 0 ]; then python t.py; fi',
        )
    ),
    ("MN923", "a.sky.yaml", _task('if [ "$SKYPILOT_NODE_RANK" = 0 ]; then\n  ray start --head\n  python t.py\nfi'), 4),
    ("MN923", "a.sky.yaml", _task('if [ "$R" = 0 ]; then\n  ray start --head\nelse\n  sleep infinity\nfi'), 4),
]

WORDS = {
    "a.sky.yaml": (_task("ray start --head\npython t.py"), "every node starts a head of its own"),
    "a.sbatch": (HEAD + "ray start --head\npython t.py\n", "no node but the first joins"),
}
"""By file name: a text, and what is said of it."""
