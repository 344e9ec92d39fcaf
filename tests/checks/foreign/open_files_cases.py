"""The limit of open files: which ways of ulimit set the soft one, and which only ask for it or set the hard one."""

START = "ray start --head\n"

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN747", "a.sh", f"{text}\n{START}")
        for text in (
            *("ulimit -n 65535", "ulimit -Sn 65535", "ulimit -S -n 65535", "ulimit -n 65535 -S", "ulimit -n unlimited"),
            *("ulimit -SHn 65535", "ulimit -H -S -n 65535", "ulimit -u unlimited -n 65535", "ulimit -n65535"),
            *('ulimit -n "$(ulimit -Hn)"', 'ulimit -Sn "$limit"', "ulimit -n hard || true", "ulimit -Hn 9 -S"),
            *("builtin ulimit -Sn 65535", "ulimit -Hn 65535\nulimit -Sn 65535", "if x; then ulimit -Sn 65535; fi"),
        )
    ),
    ("MN747", "a.sh", "srun bash -c 'ulimit -Sn 65535; ray start --head'\n"),
    ("MN747", "a.sh", "docker run --ulimit nofile=65535:65535 x ray start --head\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    ("MN747", "a.sh", f"{text}\n{START}", 2)
    for text in (
        *("ulimit -n", 'echo "$(ulimit -n)"', "ulimit -Sn", "ulimit -Hn", "ulimit -u 65535", "ulimit -c 0 -n"),
        *("ulimit -Hn 65535", "ulimit -H -n 65535", "# ulimit -n 65535", "ulimit -S 65535"),
    )
]
