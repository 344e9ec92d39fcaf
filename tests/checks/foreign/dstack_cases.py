"""dstack joins the items of a list of commands with ``&&``; what looks like a defect of the whole may be none."""

from rule_beginnings import DSTACK

IS_HEAD = '[ "$DSTACK_NODE_RANK" = 0 ]'

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN712", "a.dstack.yml", f"{DSTACK}  - python train.py\n  - {last}\n")
        for last in ("sleep infinity", "echo ok", "date", '"true"', "|\n    sleep infinity", "echo done && sleep 5")
    ),
    ("MN712", "a.dstack.yml", "type: task\nnodes: 2\nimage: x\ncommands: [python train.py, sleep infinity]\n"),
    # workers that end with their work, and a file that dstack does not take
    *(
        ("MN795", "a.dstack.yml", f"{DSTACK}  - {command}\n")
        for command in (
            "torchrun --nnodes=$DSTACK_NODES_NUM --node-rank=$DSTACK_NODE_RANK t.py",
            "bash start.sh",
            "for i in 1 2; do prepare $i; sleep 1; done",
            "sleep 5",
            f"if {IS_HEAD}; then prepare; fi",
        )
    ),
    ("MN795", "a.dstack.yml", DSTACK.replace("commands:\n", "commands: ray start --address=$H\n")),
    ("MN795", "a.dstack.yml", DSTACK.replace("nodes: 2", "nodes: 1") + "  - ray start --address=$H\n"),
    ("MN712", "a.dstack.yml", DSTACK + "  - |\n    prepare\n    echo ready\n  - python train.py\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN795", "a.dstack.yml", f"{DSTACK}  - {command}\n", 2)
        for command in (
            "ray start --address=$H",
            f"if {IS_HEAD}; then train; else sleep infinity; fi",
            "test $RANK = 0 && train || sleep infinity",
            f"if {IS_HEAD}; then train; else tail -f /dev/null; fi",
            f"if {IS_HEAD}; then train; else while true; do sleep 9; done; fi",
            f"if {IS_HEAD}; then train; else until curl $H; do sleep 9; done; fi",
            f"|\n    if {IS_HEAD}; then\n      ray start --head\n    else\n      ray start --address=$H --block\n    fi",
        )
    ),
    ("MN712", "a.dstack.yml", DSTACK + "  - prepare\n  - |\n    python train.py\n    echo done\n", 8),
    ("MN712", "a.dstack.yml", DSTACK + "  - python train.py; echo done\n", 5),
    ("MN712", "a.sky.yaml", "run: |\n  python train.py\n  echo done\n", 3),
]
