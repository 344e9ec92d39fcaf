"""Files whose names say their kind and that hold nothing, and files that hold little."""

NAMES = (
    "a.def",
    "a.singularity",
    "a.sbatch",
    "Dockerfile",
    "a.dockerfile",
    "Containerfile",
    "a.sky.yaml",
    "a.dstack.yml",
)
NOTHING = ("", "\n", "# later\n", "\n  # later\n\n# and more")

# code: (file name, a text with the defect, its line, the same done right)
CASES = {"MN927": ("Dockerfile", "# later\n", 1, "# now\nFROM python:3.12-slim\n")}

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN927", name, text)
        for name in ("a.sh", "a.yaml", "a.txt", "a.md", "requirements.txt", "")
        for text in NOTHING
    ),
    ("MN927", "a.def", "LIBRARY x\nEXPORTS\n"),
    ("MN927", "a.sbatch", "#SBATCH --nodes=2\n"),
    ("MN927", "a.sbatch", "#!/bin/bash\nsrun x\n"),
    ("MN927", "a.sbatch", "#!/usr/bin/env python3\n"),
    ("MN927", "a.sky.yaml", "run: x\n"),
    ("MN927", "a.dstack.yml", "# later\ntype: fleet\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN927", name, text, 1) for name in NAMES for text in NOTHING),
    ("MN927", "a.sbatch", "#!/bin/bash\n", 1),
    ("MN927", "a.sky.yaml", "---\n# later\n", 1),
]
