"""Waits for a program that the script names by a variable."""

# each names a program that asks: what stands above it, and the words themselves
NAMES = (
    *(
        ("RAY=ray\n", "$RAY status"),
        ("RAY=/opt/v/bin/ray\n", '"$RAY" status'),
        ("R='docker exec c ray'\n", "$R status"),
    ),
    *(("export RAY=$V/bin/ray\n", "${RAY} health-check"), ("RAY=(srun -N1 ray)\n", '"${RAY[@]}" status')),
    *(
        ("CURL='curl -sf'\n", "$CURL http://h"),
        ("ASK='ray status'\n", "$ASK"),
        ('P=python3\nR="$P -m ray.scripts.scripts"\n', "$R status"),
    ),
)
LOOPS = (
    *(
        "until {}; do sleep 5; done",
        "while ! {}; do\n  sleep 5\ndone",
        "while true; do\n  {} && break\n  sleep 5\ndone",
    ),
    *("until [ $n -ge 4 ]; do n=$({} | grep -c x); sleep 5; done", "until timeout 9 {}; do sleep 5; done"),
)
BOUNDED = "until {}; do ((SECONDS < 300)) || exit 1; sleep 5; done"

# code, file name, a text without that defect
RIGHT = [
    *(("MN720", "a.sh", f"{above}{BOUNDED.format(name)}\n") for above, name in NAMES),
    *(
        ("MN720", "a.sh", f"{above}{LOOPS[0].format(name)}\n")
        for above, name in (("", "$RAY status"), ("RAY=true\n", "$RAY"))
    ),
    # what is there already is watched
    *(("MN720", "a.sh", f"{above}while {name}; do sleep 5; done\n") for above, name in NAMES),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN720", "a.sh", f"{above}{loop.format(name)}\n", 1 + above.count("\n"))
        for above, name in NAMES
        for loop in LOOPS
    ),
]
