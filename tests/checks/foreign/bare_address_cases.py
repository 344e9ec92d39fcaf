"""Variables that are named like a host and get an address, joined with a port; and those that get a name."""

USE = "torchrun --rdzv_endpoint=$MASTER_ADDR:29500 t.py\n"

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN753", "a.sh", f"{given}\n{USE}")
        for given in (
            "true",
            "MASTER_ADDR=$(hostname)",
            "MASTER_ADDR=$(hostname -s)",
            'MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
            "MASTER_ADDR=10.0.0.1",
            "MASTER_ADDR=$HEAD",
            "MASTER_ADDR=$(ip -4 -o addr show eth0 | awk '{print $4}')",
            "MASTER_ADDR=$(getent ahostsv4 $h | awk '{print $1; exit}')",
            "MASTER_ADDR=$(hostname -I | tr ' ' '\\n' | grep -v :)",
            "MASTER_ADDR=$(hostname -I | cut -d' ' -f1)\nMASTER_ADDR=$(hostname)",
            "MASTER_ADDR=$(hostname -I | cut -d' ' -f1)\n[[ $MASTER_ADDR == *:* ]] && MASTER_ADDR=[$MASTER_ADDR]",
        )
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN753", "a.sh", f"{given}\n{USE}", 2 + given.count("\n"))
        for given in (
            "MASTER_ADDR=$(hostname -I | awk '{print $1}')",
            "export MASTER_ADDR=$(hostname -i)",
            "MASTER_ADDR=`hostname --ip-address`",
            'MASTER_ADDR=$(srun -N1 -n1 -w "$head" hostname -I | cut -d" " -f1)',
            "MASTER_ADDR=$(getent ahosts $h | awk '{print $1; exit}')",
            "MASTER_ADDR=$(ip -o addr show eth0 | awk '{print $4; exit}')",
            "first=$(hostname -I | cut -d' ' -f1)\nMASTER_ADDR=$first",
            "if x; then MASTER_ADDR=$(hostname -i); else MASTER_ADDR=$(hostname -I); fi",
        )
    ),
]
