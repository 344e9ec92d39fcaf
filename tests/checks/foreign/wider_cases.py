"""Other spellings of defects than those that people write most, and right ways close to them."""

from rule_beginnings import DOCKER, SB

OPEN = "ray start --head --block --dashboard-host"
LATER = "ray start --head\nray job submit --no-wait -- python3 x.py\n"
FETCH = "hf download a/b --local-dir"
LOOP = "for n in $nodes; do\n  {}\ndone\n"

# code, file name, a text without that defect
RIGHT = [
    # the cluster of another job or machine goes on
    ("MN767", "a.sh", LATER),
    ("MN767", "a.sbatch", SB + "ray job submit --no-wait -- python3 x.py\n"),
    ("MN767", "a.sbatch", f"{SB}{LATER}ray job logs --follow $id\n"),
    # quotes that are closed for an expansion, or hold one
    *(
        ("MN723", "a.sh", f"srun bash -c {word}\n")
        for word in (
            *('"a "$X" b"', '"x \'"$y"\' b"', '"echo $(date "+%s")"', '"echo \\"a b\\""', "'ps --format \"table x\"'"),
            *('"a"', '"x ${y:-"z"}"', '"$a "$b', '"a `b "c"`"'),
        )
    ),
    *(
        ("MN724", "a.sbatch", f"{SB}srun {options} x.py\n")
        for options in (
            "--export=ALL,RANK=1 python",
            "--export='ALL,R=$SLURM_PROCID' python",
            "--export=ALL,J=$JOB python",
        )
    ),
    # tried again, remembered, of another kind, or an end
    *(
        ("MN728", "a.sh", text)
        for text in (
            *(LOOP.format(f'x || echo "ERROR: $n" >&2\n  {more}') for more in ("failed=1", "((bad++))", "y && break")),
            LOOP.format('x && break || echo "ERROR" >&2'),
            LOOP.format('x || { echo "ERROR" >&2; exit 1; }'),
            LOOP.format('rm -f x || echo "nothing to remove"'),
            LOOP.format('x || echo "0 errors"'),
            "while true; do\n  x || echo 'ERROR' >&2\n  sleep 5\ndone\n",
            'x || echo "ERROR" >&2\n',
        )
    ),
    *(
        ("MN741", file, text)
        for file, text in (
            ("a.sh", "here=${0%/*}\n"),
            ("a.sbatch", SB + "here=${0##*/}\nname=$0\n"),
            ("a.sbatch", SB + "cat > x.sh <<'E'\nhere=${0%/*}\nE\n"),
            ("a.sbatch", SB + "if x; then\n  d=$SLURM_SUBMIT_DIR\nelse\n  d=${0%/*}\nfi\n"),
            ("a.sbatch", SB + "echo '${0%/*}'\n"),
        )
    ),
    *(
        ("MN790", "Dockerfile", f"{DOCKER}ADD https://github.com/a/b.git#{name} /src\n")
        for name in ("v1.2", "0a1b2c3", "v1:main", "v2:docs")
    ),
    # every node has it, or all see it, or each task is on its own
    *(
        ("MN748", "a.sbatch", f"{begin}srun bash -c '{text}'\n")
        for begin, text in (
            (SB, f"if [[ $SLURM_LOCALID == 0 ]]; then {FETCH} /tmp/m; fi"),
            (SB, f"if [[ $SLURM_PROCID == 0 ]]; then {FETCH} /lustre/m; fi"),
            (SB, f"if [[ $SLURM_PROCID == 0 ]]; then x; else {FETCH} /tmp/m; fi"),
            (SB, f"if [[ $SLURM_PROCID == 0 ]]; then x; fi; {FETCH} /tmp/m"),
            (SB, f"{FETCH} /tmp/m"),
            ("#!/bin/bash\n#SBATCH --nodes=1\n", f"if [[ $SLURM_PROCID == 0 ]]; then {FETCH} /tmp/m; fi"),
            ("#!/bin/bash\n#SBATCH --ntasks=1\n", f"if [[ $SLURM_PROCID == 0 ]]; then {FETCH} /tmp/m; fi"),
        )
    ),
    ("MN761", "Dockerfile", f"{DOCKER}CMD {OPEN} 127.0.0.1\n# CMD {OPEN} 0.0.0.0\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN767", "a.sbatch", SB + LATER, 4),
    *(
        ("MN723", "a.sh", f"srun bash -c {word}\n", 1)
        for word in (
            *('"docker ps --format "table {{.ID}} {{.Names}}""', '"docker images --format "{{.ID}}""', '"echo "a b""'),
            *('"squeue -h --format="%i %j""', '"cd $d && python -c "print(1)""'),
        )
    ),
    *(
        ("MN724", "a.sbatch", f"{SB}srun {options} python x.py\n", 3)
        for options in (
            *("--export=ALL,RANK=$SLURM_PROCID", '--export="ALL,RANK=${SLURM_PROCID}"', "--export ALL,R=$SLURM_NODEID"),
            *("-N2 --export=ALL,LOCAL_RANK=$SLURM_LOCALID -n2",),
        )
    ),
    *(
        ("MN728", "a.sh", LOOP.format(f"{text}"), 2)
        for text in (
            'x "$n" || echo "ERROR: $n did not start" >&2',
            "x || echo ERROR $n",
            'x || y || echo "[FATAL] $n" >&2',
            "x || echo 'Error: no x'",
        )
    ),
    *(
        ("MN741", "a.sbatch", f"{SB}{text}\n", 3)
        for text in (
            *("here=${0%/*}", 'here="${0%/*}"', 'cd "${BASH_SOURCE[0]%/*}/.."', "export D=${BASH_SOURCE%/*}"),
            *('source "${0%/*}/env.sh"',),
        )
    ),
    *(
        ("MN790", "Dockerfile", f"{DOCKER}ADD https://github.com/a/b.git{name} /src\n", 2)
        for name in ("#main", "#master:docs", "#:docs", "#refs/heads/x")
    ),
    *(
        ("MN748", "a.sbatch", f"{SB}srun bash -c '{text}'\n", 3)
        for text in (
            f"if [[ $SLURM_PROCID == 0 ]]; then {FETCH} /tmp/m; fi",
            f"if [ $SLURM_NODEID -eq 0 ]; then {FETCH}=/dev/shm/m; fi; train",
            f'[ "$SLURM_PROCID" = "0" ] && {FETCH} "$TMPDIR/m"',
            "if [[ ${SLURM_PROCID} -eq 0 ]]; then python3 prep.py --local_dir /tmp/d; fi",
            "if [[ $SLURM_PROCID == 0 ]]; then huggingface-cli download a --local-dir /tmp/m; fi",
        )
    ),
    *(
        ("MN761", "Dockerfile", f"{DOCKER}{word}\n", 2)
        for word in (
            *(f"CMD {OPEN} 0.0.0.0", f"ENTRYPOINT exec {OPEN}=0.0.0.0"),
            'CMD ["ray", "start", "--head", "--block", "--dashboard-host=0.0.0.0"]',
            f'CMD ["bash", "-c", "{OPEN} ::"]',
        )
    ),
]
