"""Who ends processes or removes folders by name, on nodes that the job has whole and on those that others share."""

from rule_beginnings import SB

REACHES = (
    *(("MN762", text) for text in ("ray stop", "ray stop --force", "srun ray stop", "ssh $h 'source env; ray stop'")),
    *(("MN762", text) for text in ("rm -rf /tmp/ray", "srun bash -c 'rm -rf /tmp/ray/*'")),
    *(
        ("MN763", text)
        for text in ("pkill ray", "pkill -9 -u $USER python", "killall raylet", "srun pkill -f train.py")
    ),
    ("MN763", "for h in $hosts; do ssh $h pkill -9 ray; done"),
)
WHOLE = ("--exclusive", "--nodes=2 --exclusive", "--exclusive=topo")
SHARED = ("--nodes=2", "--exclusive=user", "--exclusive=MCS", "--oversubscribe")

# code, file name, a text without that defect
RIGHT = [
    *((code, "a.sbatch", f"{SB}#SBATCH {asked}\n{text}\n") for code, text in REACHES for asked in WHOLE),
]

# code, file name, a text with that defect, its line
WRONG = [
    *((code, "a.sbatch", f"{SB}#SBATCH {asked}\n{text}\n", 4) for code, text in REACHES for asked in SHARED),
    # without directives nobody knows who else is there; a step's own --exclusive is about CPUs
    *((code, "a.sh", f"{text}\n", 1) for code, text in REACHES),
    ("MN762", "a.sbatch", SB + "srun --exclusive ray stop\n", 3),
    # root's signals reach everybody, also the node's own services
    *(("MN763", "a.sbatch", f"{SB}#SBATCH --exclusive\n{text}\n", 4) for text in ("sudo pkill ray", "sudo killall x")),
    # what shares a node with other jobs of this user has their ports and folders beside it
    ("MN754", "a.sbatch", SB + "#SBATCH --exclusive=user\nray start --head --port=6379\n", 4),
]
