"""dstack joins the items of a list of commands with ``&&``; what looks like a defect of the whole may be none."""

from rule_beginnings import DSTACK

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN712", "a.dstack.yml", f"{DSTACK}  - python train.py\n  - {last}\n")
        for last in ("sleep infinity", "echo ok", "date", '"true"', "|\n    sleep infinity", "echo done && sleep 5")
    ),
    ("MN712", "a.dstack.yml", "type: task\nnodes: 2\nimage: x\ncommands: [python train.py, sleep infinity]\n"),
    ("MN712", "a.dstack.yml", DSTACK + "  - |\n    prepare\n    echo ready\n  - python train.py\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN712", "a.dstack.yml", DSTACK + "  - prepare\n  - |\n    python train.py\n    echo done\n", 8),
    ("MN712", "a.dstack.yml", DSTACK + "  - python train.py; echo done\n", 5),
    ("MN712", "a.sky.yaml", "run: |\n  python train.py\n  echo done\n", 3),
]
