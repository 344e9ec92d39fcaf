"""Variables of the script that starts a container, read by a text that runs in it."""

BEGIN = "export WANDB_API_KEY HF_HOME=/hf\n"
READS = """bash -c 'train --key "$WANDB_API_KEY"'\n"""

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN781", "a.sh", f"{BEGIN}docker run {options} img {READS}")
        for options in (
            *("-e WANDB_API_KEY", "--env WANDB_API_KEY=x", "--env-file .env", "$OPTIONS", '"${options[@]}"', '"$@"'),
            *("-e HF_HOME -e WANDB_API_KEY",),
        )
    ),
    ("MN781", "a.sh", f"{BEGIN}podman run --env-host img {READS}"),
    ("MN781", "a.sh", f"{BEGIN}podman run -e 'WANDB_*' img {READS}"),
    # the script has the value by itself, or knows what to do without it
    *(
        ("MN781", "a.sh", f"{BEGIN}docker run img bash -c '{text}'\n")
        for text in (
            "WANDB_API_KEY=x; train $WANDB_API_KEY",
            "source /env.sh; train $WANDB_API_KEY",
            "train ${WANDB_API_KEY:-none}",
            "for HF_HOME in a b; do train $HF_HOME; done",
            "train \\$WANDB_API_KEY",
            "train $OTHER",
        )
    ),
    # the shell that starts the container puts the value in
    ("MN781", "a.sh", f'{BEGIN}docker run img bash -c "train $WANDB_API_KEY"\n'),
    ("MN781", "a.sh", f"{BEGIN}ssh h \"docker run img bash -c 'train $WANDB_API_KEY'\"\n"),
    # what images have, what is exported later, what another one started
    (
        "MN781",
        "a.sh",
        "export PATH=/x:$PATH LD_LIBRARY_PATH=/y\ndocker run img bash -c 'echo $PATH $LD_LIBRARY_PATH'\n",
    ),
    ("MN781", "a.sh", f"docker run img {READS}{BEGIN}"),
    ("MN781", "a.sh", f"{BEGIN}docker exec c {READS}"),
    ("MN781", "a.sh", f"{BEGIN}docker run -d -e WANDB_API_KEY --name c img\ndocker exec c {READS}"),
    ("MN781", "a.sh", f"{BEGIN}apptainer exec i.sif {READS}"),
    ("MN781", "a.sh", f"{BEGIN}bash -c 'echo $WANDB_API_KEY'\ndocker run img x\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN781", "a.sh", f"{BEGIN}{start} {READS}", 2)
        for start in (
            *("docker run img", "docker run --rm -e HF_HOME img", "podman run --gpus all img", "srun docker run img"),
            *("docker run -e WANDB_API_KEY_FILE img", "docker run img nice -n 5", "if x; then docker run img"),
        )
    ),
    ("MN781", "a.sh", f"{BEGIN}docker run -d --name c img\ndocker exec c {READS}", 3),
    ("MN781", "a.sh", f"WANDB_API_KEY=x\n{BEGIN}docker run img bash -c '\n  cd /x\n  train ${{HF_HOME}}/x\n'\n", 5),
    ("MN781", "a.sh", "export A=1\ndeclare -x B=2\ndocker run -e A img sh -ec 'train ${B:?} $A'\n", 3),
]
