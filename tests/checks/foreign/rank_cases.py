"""Who runs a command: all nodes, as SkyPilot's setup does and a branch that only looks for files, or one of them."""

from rule_beginnings import DSTACK

SETUP = "num_nodes: 2\nsetup: |\n  {}\nrun: |\n  ray start --head; python3 t.py\n"
RUN = "num_nodes: 2\nrun: |\n  {}\n"
PREPARE = "python3 prep.py --local_dir ~/d"

# code, file name, a text without that defect
RIGHT = [
    # setup is run on every node, whatever it tests
    *(
        ("MN748", "a.sky.yaml", SETUP.format(text))
        for text in (
            f"if [ -f prep.py ]; then {PREPARE}; else echo none; fi",
            f"if [ -f a ]; then echo a; else {PREPARE}; fi",
            f'if [ "$DATASET" = gsm8k ]; then {PREPARE}; fi',
            f"case $DATASET in\n  gsm8k) {PREPARE} ;;\n  esac",
            f"if ! pip show x; then pip install x; fi; {PREPARE}",
        )
    ),
    # every node looks for its own files
    *(
        ("MN748", "a.sky.yaml", RUN.format(text))
        for text in (
            f"if [ -f prep.py ]; then {PREPARE}; fi",
            f'if [[ ! -d "$HOME/d" && -e prep.py ]]; then {PREPARE}; fi',
            f"if test -s prep.py; then if [ ! -d ~/d ]; then {PREPARE}; fi; fi",
            f"if [ -f a ]; then echo a; elif [ -f prep.py ]; then {PREPARE}; fi",
        )
    ),
    ("MN748", "a.dstack.yml", f"{DSTACK}  - if [ ! -d d ]; then {PREPARE}; fi\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN748", "a.sky.yaml", SETUP.format(text), 3)
        for text in (
            f'if [ "$SKYPILOT_SETUP_NODE_RANK" = 0 ]; then {PREPARE}; fi',
            f'if [ "$SKYPILOT_SETUP_NODE_RANK" = 0 ]; then if [ -f prep.py ]; then {PREPARE}; fi; fi',
            f"case $SKYPILOT_SETUP_NODE_RANK in 0) {PREPARE} ;; esac",
            f'if [ "$(hostname -I)" = "$head " ]; then {PREPARE}; fi',
        )
    ),
    *(
        ("MN748", "a.sky.yaml", RUN.format(text), 3)
        for text in (
            f'if [ "$SKYPILOT_NODE_RANK" = 0 ]; then {PREPARE}; fi',
            f'if [ "$SKYPILOT_NODE_RANK" = 0 ]; then if [ -f prep.py ]; then {PREPARE}; fi; fi',
            f'if [ -f prep.py ] && [ "$SKYPILOT_NODE_RANK" = 0 ]; then {PREPARE}; fi',
            f'if [ "$SKYPILOT_NODE_RANK" != 0 ]; then echo a; else {PREPARE}; fi',
            f'if [ -f a ]; then echo a; elif [ "$R" = 0 ]; then {PREPARE}; fi',
            f"case $SKYPILOT_NODE_RANK in 0) {PREPARE} ;; esac",
        )
    ),
]
