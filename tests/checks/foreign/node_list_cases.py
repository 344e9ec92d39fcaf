"""Slurm's list of nodes, taken apart at commas that may stand in brackets, and ways that are right."""

H = "#!/bin/bash\n#SBATCH --nodes=2\n"
CUT = "head=$(echo $SLURM_JOB_NODELIST | cut -d, -f1)\n"
SHOWN = 'head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)\n'

# code: (file name, a text with the defect, its line, the same done right)
CASES = {"MN925": ("a.sbatch", H + CUT, 3, H + SHOWN)}

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN925", "a.sbatch", f"{H}{text}\n")
        for text in (
            "nodes=($(scontrol show hostnames $SLURM_JOB_NODELIST))",
            "list=$(scontrol show hostnames $SLURM_JOB_NODELIST | paste -sd,)\nhead=${list%%,*}",
            "list=$(scontrol show hostnames $SLURM_JOB_NODELIST | tr '\\n' ',')\nx --hosts ${list//,/ }",
            "nodeset -e $SLURM_JOB_NODELIST | cut -d' ' -f1",
            "echo nodes: $SLURM_JOB_NODELIST",
            "echo $SLURM_JOB_NODELIST | tee nodes",
            "echo $SLURM_JOB_NODELIST | cut -d'[' -f1",
            "srun -w $SLURM_JOB_NODELIST x",
            "echo '${SLURM_JOB_NODELIST%%,*}'",
            "echo $HOSTS | cut -d, -f1\nhead=${HOSTS%%,*}",
            "SLURM_JOB_NODELIST=a,b\nhead=${SLURM_JOB_NODELIST%%,*}",
            "scontrol show hostnames $SLURM_JOB_NODELIST | tr ',' ' '",
            "echo ${SLURM_JOB_NODELIST:-none}",
            "if [[ $SLURM_JOB_NODELIST == *,* ]]; then x; fi",
        )
    ),
    ("MN925", "a.sbatch", f"#!/bin/bash\n#SBATCH --nodes=1\n{CUT}"),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN925", "a.sh", CUT, 1),
    *(
        ("MN925", "a.sbatch", f"{H}{text}\n", 3 + line)
        for text, line in (
            ('head=$(echo "${SLURM_NODELIST}" | cut -d "," -f 1)', 0),
            ("head=$(echo $SLURM_JOB_NODELIST | awk -F, '{print $1}')", 0),
            ("head=`echo $SLURM_JOB_NODELIST | cut -f1 -d,`", 0),
            ("head=$(printf '%s' \"$SLURM_JOB_NODELIST\" | cut -d',' -f1)", 0),
            ('head=$(cut -d, -f1 <<< "$SLURM_JOB_NODELIST")', 0),
            ("head=${SLURM_JOB_NODELIST%%,*}", 0),
            ('x --head "${SLURM_JOB_NODELIST%%,*}:6379"', 0),
            ("nodes=(${SLURM_JOB_NODELIST//,/ })", 0),
            ("for n in ${SLURM_JOB_NODELIST//,/ }; do\n  ssh $n x\ndone", 0),
            ("for n in $(echo $SLURM_JOB_NODELIST | tr ',' ' '); do ssh $n x; done", 0),
            ("nodes=$(echo $SLURM_JOB_NODELIST | tr , '\\n')", 0),
            ("nodes=$(echo $SLURM_JOB_NODELIST | sed 's/,/ /g')", 0),
            ("nodes=$(echo $SLURM_JOB_NODELIST | sed -e 's/,.*//')", 0),
            ('IFS=, read -ra nodes <<< "$SLURM_JOB_NODELIST"', 0),
            ("IFS=',' read -r -a nodes <<< $SLURM_JOB_NODELIST", 0),
            ("list=$SLURM_JOB_NODELIST\nhead=${list%%,*}", 1),
            ("srun bash -c 'head=${SLURM_JOB_NODELIST%%,*}; x $head'", 0),
        )
    ),
]
