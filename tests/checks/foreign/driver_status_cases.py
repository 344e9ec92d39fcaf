"""The status of a driver that is dropped where it is started, though errexit is on, and ways that keep it."""

H = "#!/bin/bash\n#SBATCH --nodes=2\nset -euo pipefail\n"
TWO = "srun -N1 -n1 python a.py &\nsrun -N1 -n1 python b.py &\n"

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN712", "a.sbatch", H + text)
        for text in (
            "srun python train.py\n",
            "srun python train.py || exit 1\n",
            "srun python train.py || { echo failed; exit 1; }\n",
            "srun python train.py || exit $?\n",
            'rc=0\nsrun python train.py || rc=$?\necho "ended with $rc"\nexit "$rc"\n',
            "if ! srun python train.py; then\n  echo failed\n  exit 1\nfi\n",
            "if srun python train.py; then\n  echo good\nelse\n  echo failed\n  exit 3\nfi\n",
            "if ! srun python train.py; then\n  scontrol requeue $SLURM_JOB_ID\nfi\n",
            "srun python train.py || echo failed > status\ncheck_status status\n",
            "srun python train.py || echo failed | mail me\n",
            "srun python train.py || true\n[[ -f done ]]\n",
            "srun python train.py || true\nsrun python other.py\n",
            "until srun python train.py; do echo again; done\n",
            "for i in 1 2 3; do srun python train.py && break || true; done\n",
            # what may fail beside the driver
            "srun python train.py\nray stop || true\n",
            "srun python train.py\npython upload_logs.py || true\n",
            "srun python -m pip install x || true\nsrun python train.py\n",
            "python -c 'import torch' || echo none\nsrun python train.py\n",
            "srun python train.py\nif ! python check.py; then echo odd; fi\n",
            # a wait that tells, and one for what runs beside the driver
            TWO + "wait -n\nwait -n\n",
            "srun python a.py &\npid=$!\nwait $pid\n",
            "pids=()\n" + TWO.replace("&\n", '&\npids+=("$!")\n') + 'for pid in "${pids[@]}"; do wait "$pid"; done\n',
            TWO + "wait -n && wait -n\nwait\n",
            "srun ray start --address=$h --block &\npython train.py\nwait\n",
            "srun ray start --head --block &\nwait\n",
            TWO + "wait\n[[ -f a.done && -f b.done ]]\n",
            TWO + "wait\ncheck_results a b\n",
            "srun -N1 -n1 python monitor.py &\nwait\n",
            TWO + 'wait\nexit "$(cat rc)"\n',
        )
    ),
    ("MN712", "a.sky.yaml", "num_nodes: 2\nsetup: pip install x\nrun: |\n  set -e\n  python train.py\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN712", "a.sbatch", H + text, 4 + line)
        for text, line in (
            ("srun python train.py || true\n", 0),
            ("srun python train.py || :\n", 0),
            ("srun python train.py || echo failed\n", 0),
            ("srun python -u -m pkg.train 2>&1 || printf 'failed\\n'\n", 0),
            ("srun torchrun --nproc_per_node=8 t.py || true\necho done\n", 0),
            ("srun apptainer exec x.sif python train.py || { echo failed; }\n", 0),
            ("ray job submit -- python train.py || true\nray stop\n", 0),
            ("srun bash -c 'python train.py' || true\n", 0),
            ("srun python train.py || true\nexit 0\n", 0),
            ("if ! srun python train.py; then echo failed; fi\n", 0),
            ("if srun python train.py; then\n  echo good\nelse\n  echo failed\nfi\n", 0),
            (TWO + "wait\n", 2),
            (TWO + "wait\necho done\n", 2),
            ("srun bash <<'X' &\npython train.py\nX\nwait\n", 3),
            ("srun python train.py &\npid=$!\nwait\n", 2),
        )
    ),
    ("MN712", "a.dstack.yml", "type: task\nnodes: 2\ncommands:\n  - pip install x\n  - python train.py || true\n", 5),
    ("MN712", "a.sky.yaml", "num_nodes: 2\nrun: |\n  set -e\n  python train.py || echo failed\n", 4),
]

# code, file name, a text: how its one finding of that code weighs
SEVERITY = {
    ("MN712", "a.sh", "python train.py || true\n"): "warning",
    ("MN712", "a.sh", "srun python train.py || true\n"): "error",
    ("MN712", "a.sbatch", f"{H}python train.py || true\n"): "error",
}
