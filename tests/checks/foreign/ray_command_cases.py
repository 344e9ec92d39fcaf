"""Ray under other names: by its module, and in a variable or array that the script sets once."""

from rule_beginnings import SB

MODULE = "python3 -m ray.scripts.scripts"

# each names Ray: what stands above it, and the words themselves
NAMES = (
    *(("", MODULE), ("", "python -u -m ray.scripts.scripts"), ("", "/opt/v/bin/python3.11 -m ray.scripts.scripts")),
    *(("", '"$PYTHON" -m ray.scripts.scripts'), ("", f"uv run {MODULE}"), ("", f"apptainer exec x.sif {MODULE}")),
    *((f'RAY="{MODULE}"\n', word) for word in ("$RAY", "${RAY}", "nice -n 5 $RAY", "env A=1 ${RAY}")),
    *((f"export RAY='{MODULE}'\n", "$RAY"), (f"RAY=({MODULE})\n", '"${RAY[@]}"'), ("RAY=ray\n", '"$RAY"')),
    *(("RAY=/opt/v/bin/ray\n", '"${RAY}"'), ('P=python3\nRAY="$P -m ray.scripts.scripts"\n', "$RAY")),
)
WAIT = "until {1}; do sleep 5; ((SECONDS < 300)) || exit 1; done\n"
JOIN = "start --head\n{0} start --address=$h --block\n" + WAIT + "python3 t.py\n"

# code, file name, a text without that defect
RIGHT = [
    *(("MN758", "a.sbatch", f"{SB}{above}srun {name} start --head --block\n") for above, name in NAMES),
    *(("MN757", "a.sh", f"{above}{name} {JOIN.format(name, name + ' status')}") for above, name in NAMES),
    ("MN756", "a.sh", f"ray start --head\n{MODULE} status\n"),
    # a program of several words is none, and nobody knows which of two it is
    ("MN762", "a.sh", f'RAY="{MODULE}"\n"$RAY" stop\n'),
    ("MN762", "a.sh", f'RAY=ray\nif x; then RAY="{MODULE}"; fi\n$RAY stop\n'),
    ("MN762", "a.sh", "python3 -m ray.scripts stop\npython3 t.py -m ray.scripts.scripts stop\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN762", "a.sh", f"{above}{name} stop\n", 1 + above.count("\n")) for above, name in NAMES),
    *(
        (code, "a.sbatch", f"{SB}{above}srun {name} start --head --port=6379 &\n", 3 + above.count("\n"))
        for above, name in NAMES
        for code in ("MN746", "MN747", "MN754", "MN758", "MN765")
    ),
    *(("MN757", "a.sh", f"{above}{name} {JOIN.format(name, 'x')}", 2 + above.count("\n")) for above, name in NAMES),
    ("MN762", "a.sbatch", f'{SB}RAY="{MODULE}"\nsrun bash -c "x; $RAY stop"\n', 4),
    ("MN735", "a.sbatch", f'{SB}#SBATCH --ntasks-per-node=2\nRAY="{MODULE}"\nsrun $RAY start --head\n', 5),
]
