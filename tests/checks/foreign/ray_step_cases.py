"""Steps that start Ray: which of them end at once, and Ray with them, and which run on."""

from rule_beginnings import SB

HEAD = "ray start --head --port=6379"

# each is a step that ends as soon as Ray has started
ENDING = (
    *(f"srun {HEAD}", f"srun -N1 -n1 -w $h --overlap {HEAD}", f"srun apptainer exec x.sif {HEAD}"),
    *(f"srun bash -c '{HEAD}'", f'srun -N1 bash -lc "source env; {HEAD} && echo up"', f"srun uv run {HEAD}"),
    *(f"srun bash -c '{HEAD} || exit 1'", f"srun bash -c 'if x; then {HEAD}; fi; echo $(date)'"),
    *(f"OPTS=-N1\nsrun $OPTS {HEAD}", f"srun bash -c 'for i in a; do sleep 1; done; {HEAD}'"),
)
# and each of these runs on, or is a step that is not known to end
LASTING = (
    *(f"srun {HEAD} --block", f"srun bash -c '{HEAD}; sleep infinity'", f"srun bash -c '{HEAD}; python3 t.py'"),
    *(f"srun bash -c '{HEAD}; while true; do sleep 9; done'", f"srun bash -c '{HEAD}; tail -f /dev/null'"),
    *(f"srun bash -c '{HEAD}; until x; do :; done'", f"srun bash -c 'while true; do {HEAD}; done'"),
    *(f"srun {HEAD} $MORE", f'srun {HEAD} "${{more[@]}}"', f"srun bash -c 'f() {{ {HEAD}; }}; f; serve'"),
    *(f"srun bash -c 'f() {{ {HEAD}; }}'", "OPTS='--head --block'\nsrun ray start $OPTS"),
)

# code, file name, a text without that defect
RIGHT = [
    *(("MN758", "a.sbatch", f"{SB}{step} &\npid=$!\nsrun --overlap x\n") for step in LASTING),
    # no step of Slurm's ends it, or its container does not belong to the step
    *(("MN758", "a.sbatch", f"{SB}{text}\n") for text in (HEAD, f"ssh $h {HEAD}", f"bash -c '{HEAD}'")),
    *(("MN758", "a.sbatch", f"{SB}srun {engine} exec c {HEAD}\n") for engine in ("docker", "podman")),
    *(("MN736", "a.sbatch", f"{SB}{step} &\npid=$!\nsrun x\n") for step in ENDING),
    ("MN736", "a.sbatch", f"{SB}srun {HEAD} &\nsleep 9\nsrun ray start --address=$h:6379 &\nsleep 9\nsrun x\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN758", "a.sbatch", f"{SB}{step} &\n", 3 + step.count("\n")) for step in ENDING),
    *(("MN758", "a.sbatch", f"{SB}{step}\nsrun --overlap x\n", 3 + step.count("\n")) for step in ENDING),
    ("MN758", "a.sh", f"srun bash <<'E'\nset -e\n{HEAD}\nE\nsrun x\n", 3),
    ("MN758", "a.sh", f"for n in $nodes; do\n  srun -w $n {HEAD}\ndone\n", 2),
    *(("MN736", "a.sbatch", f"{SB}{step} &\npid=$!\nsrun x\n", 5 + step.count("\n")) for step in LASTING),
    ("MN736", "a.sbatch", f"{SB}srun {HEAD} &\nsrun serve &\npid=$!\nsrun x\n", 6),
]

JOIN = "ray start --address=$h:6379\n"
WATCHES = (
    *("while ray status; do sleep 9; done", "while ray status >/dev/null 2>&1; do\n  sleep 9\ndone"),
    *("until ! ray status; do sleep 9; done", "while true; do\n  ray status || exit 1\n  sleep 9\ndone"),
    *(
        "while true; do\n  if ! ray health-check; then break; fi\n  sleep 9\ndone",
        "sleep 5\nwhile ray status; do sleep 9; done",
    ),
)
NO_WATCHES = (
    *("until ray status; do sleep 9; done", "while ! ray status; do sleep 9; done", "ray status\nsleep infinity"),
    *("while true; do\n  ray status && break\n  sleep 9\ndone", "while x; do sleep 9; done", "ray status"),
)

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    **{("MN758", "a.sh", f"{JOIN}{loop}\n"): "note" for loop in WATCHES},
    **{("MN758", "a.sh", f"{JOIN}{loop}\n"): "warning" for loop in NO_WATCHES},
    **{("MN758", "a.sh", f"if x; then\n{HEAD}\nelse\n{JOIN}{loop}\nfi\n"): "note" for loop in WATCHES},
    # a loop of another branch, and one in front of it
    ("MN758", "a.sh", f"if x; then\n{JOIN}else\n{HEAD}\n{WATCHES[0]}\nfi\n"): "warning",
    ("MN758", "a.sh", f"if x; then\n{JOIN}fi\n{WATCHES[0]}\n"): "note",
    ("MN758", "a.sh", f"case $x in\nw) {JOIN};;\nh) {WATCHES[0]} ;;\nesac\n"): "warning",
    ("MN758", "a.sh", f"case $x in\nw) {JOIN} {WATCHES[0]} ;;\nh) {HEAD} ;;\nesac\n"): "note",
    ("MN758", "a.sh", f"{WATCHES[0]}\n{JOIN}"): "warning",
    ("MN758", "a.sh", f"srun bash -c '{JOIN}{WATCHES[0]}'\n"): "note",
}
