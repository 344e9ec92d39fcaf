"""Who reads a variable, and who waits for what was started: ways that were misread."""

from rule_beginnings import SB

LOG = 'log() { echo "[$stage] $*"; }\n'
STAGES = "stage=a\nlog x\nstage=b\nlog y\n"

# code, file name, a text without that defect
RIGHT = [
    # a function reads it at each call
    *(
        ("MN727", "a.sh", text)
        for text in (
            LOG + STAGES,
            STAGES + LOG,
            'function log {\n  echo "[${stage}] $*"\n}\n' + STAGES,
            'function log() {\n  echo "$((stage + 1))"\n}\n' + STAGES,
            'function log\n{\n  echo "$stage"\n}\n' + STAGES,
            "show() { echo $stage; }\nlog() { show; }\n" + STAGES,
            LOG + "stage=a\nif log x; then true; fi\nstage=b\nx | log y\n",
            LOG + "stage=a\nout=$(log x)\nstage=b\necho $out\n",
            LOG + "stage=a\ntrap 'log x' USR1\nstage=b\n",
        )
    ),
    # a wait for all behind the loop
    *(
        ("MN718", "a.sbatch", f"{SB}{loop}\nwait\n")
        for loop in (
            "for n in a b; do srun -w $n x & done",
            'for n in a b; do\n  srun -N1 -w "$n" x &\n  pids+=($!)\ndone',
            "while read -r n; do srun -w $n x & done < list",
            "for n in a b; do\n  if [[ $n == a ]]; then\n    srun -w $n x &\n  fi\ndone",
        )
    ),
    (
        "MN718",
        "a.sh",
        'for n in a b; do\n  fetch $n &\n  pids+=($!)\ndone\nfor p in "${pids[@]}"; do wait "$p"; done\n',
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN727", "a.sh", "stage=a\nstage=b\n" + LOG + "log y\n", 2),
    ("MN727", "a.sh", LOG + "stage=a\nstage=b\nlog y\n", 3),
    ("MN727", "a.sh", LOG + "M=a\nlog x\nM=b\n", 4),
    ("MN718", "a.sbatch", SB + "for n in a b; do srun -w $n x & done\ntrain\nwait\n", 3),
    ("MN718", "a.sh", "for n in a b; do serve $n & done\n", 1),
]
