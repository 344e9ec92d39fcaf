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
    *(("MN757", "a.sh", f"{above}{name} {JOIN.format(name, name + ' status | grep -c 2')}") for above, name in NAMES),
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

BASE = 'C="ray start --block"\n'
IMAGE = 'docker run --entrypoint /bin/bash --network host "$IMAGE" -c "$C"\n'
BOTH = 'if x; then\n  C+=" --head --port=6379"\nelse\n  C+=" --address=$h:6379"\nfi\n'

# a text that grows: what it is at the end, or in either of two branches
RIGHT += [
    ("MN758", "a.sh", f'{BASE}{BOTH}bash -c "$C"\n'),
    ("MN746", "a.sh", f'{BASE}{BOTH}C+=" --num-gpus=8"\nbash -c "$C"\n'),
    # nobody knows whether it is added, or where the text came from
    ("MN746", "a.sh", f'{BASE}if x; then C+=" --num-gpus=8"; fi\nbash -c "$C"\n'),
    ("MN746", "a.sh", f'{BASE}[[ -n $n ]] && C+=" --num-gpus=$n"\nbash -c "$C"\n'),
    ("MN746", "a.sh", f'{BASE}if x; then C+=" --a"; fi\nif x; then y; else C+=" --num-gpus=8"; fi\nbash -c "$C"\n'),
    ("MN746", "a.sh", f'{BASE}for g in a b; do C+=" --num-gpus=$g"; done\nbash -c "$C"\n'),
    ("MN746", "a.sh", f'{BASE}C="$C --num-gpus=8"\nbash -c "$C"\n'),
    ("MN762", "a.sh", 'C=" stop"\nC+=ray\nbash -c "$C"\n'),
    ("MN762", "a.sh", "docker run --entrypoint cat img ray stop\ndocker run img -c 'ray stop'\n"),
]
WRONG += [
    *((code, "a.sh", f"{BASE}{BOTH}{IMAGE}", 1) for code in ("MN746", "MN747", "MN759", "MN765")),
    ("MN757", "a.sh", f"{BASE}{BOTH}{IMAGE}python3 t.py\n", 1),
    ("MN746", "a.sh", f'{BASE}C+=" --head"\nsrun bash -c "$C"\n', 1),
    ("MN782", "a.sh", 'C="x"\nC+="; printenv"\nssh $h "$C"\n', 2),
    ("MN762", "a.sh", 'C="ray"\nC+=" stop"\nssh $h "$C"\n', 1),
    ("MN762", "a.sh", "docker run --entrypoint bash img -c 'ray stop'\n", 1),
    ("MN762", "a.sh", "podman run --rm --entrypoint=/bin/sh img -ec 'x; ray stop'\n", 1),
    ("MN762", "a.sh", "docker run --entrypoint ray img stop\n", 1),
    ("MN762", "a.sh", 'more=("$@")\ndocker run --entrypoint bash "${more[@]}" "$IMAGE" -c "ray stop"\n', 2),
]
