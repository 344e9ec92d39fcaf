"""Secrets whose values ``set -x`` writes to the log, and lines that show none."""

H = "#!/bin/bash\n#SBATCH --nodes=2\n"
READ = "export HF_TOKEN=$(cat ~/.hf)\n"
DOCKER = "FROM python:3.12-slim\n"

# code: (file name, a text with the defect, its line, the same done right)
CASES = {"MN926": ("a.sbatch", f"{H}set -x\n{READ}", 4, f"{H}set -x\n{{ set +x; }} 2>/dev/null\n{READ}set -x\n")}

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN926", "a.sbatch", H + text)
        for text in (
            READ,
            f"set -euo pipefail\n{READ}",
            f"{READ}set -x\nsrun x\n",
            f"set -x\nset +x\n{READ}",
            f"set -o xtrace\nset +o xtrace\n{READ}",
            f"set -x\nsrun x\nset +eux\n{READ}",
            # who asks for it, and where it goes
            f'if [ -n "$DEBUG" ]; then set -x; fi\n{READ}',
            f"[[ $DEBUG ]] && set -x\n{READ}",
            f"exec 9>trace\nBASH_XTRACEFD=9\nset -x\n{READ}",
            # no value is shown
            "set -x\nexport HF_TOKEN\n",
            "set -x\nread -r HF_TOKEN < ~/.hf\n",
            "set -x\nexport HF_TOKEN_PATH=$HOME/.hf\n",
            "set -x\nSSH_KEY=$HOME/.ssh/id\n",
            "set -x\nexport HF_TOKEN=\n",
            "set -x\nPAD_TOKEN=$(x)\n",
            "set -x\nMAX_TOKEN=4096\nN_TOKEN=$((n + 1))\n",
            "set -x\n[[ -n ${HF_TOKEN:+set} ]]\n",
            "set -x\n[[ -v HF_TOKEN ]]\n",
            f"set -x\nsrun bash <<'X'\n{READ}X\n",
        )
    ),
    ("MN926", "Dockerfile", f"{DOCKER}RUN set -x\nRUN TOKEN=$(cat /run/secrets/t) && x\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN926", "a.sbatch", H + text, 3 + line)
        for text, line in (
            *((f"{on}\n{READ}", 1) for on in ("set -eux", "set -euxo pipefail", "set -o xtrace", "set -e -x")),
            ("set -x\nexport X_TOKEN=abcdefgh12345678\n", 1),
            ("set -x\nWANDB_API_KEY=$(<key)\nexport WANDB_API_KEY\n", 1),
            ("set -x\nexport HF_TOKEN=`cat f`\n", 1),
            ('set -x\nexport HF_TOKEN="${HF_TOKEN:?}"\n', 1),
            ("set -x\nHF_TOKEN=$T srun x\n", 1),
            ('set -x\n: "${HF_TOKEN:?set it}"\n', 1),
            ('set -x\nif [ -z "$HF_TOKEN" ]; then exit 1; fi\n', 1),
            ("set -x\nset +x\nx\nset -x\n" + READ, 4),
            (f"srun bash -c '\nset -x\n{READ}'\n", 2),
            (f"srun bash -x <<'X'\n{READ}X\n", 1),
        )
    ),
    ("MN926", "a.sh", f"#!/bin/bash -x\n{READ}", 2),
    ("MN926", "a.sky.yaml", f"num_nodes: 2\nrun: |\n  set -x\n  {READ}", 4),
    ("MN926", "a.dstack.yml", f"type: task\nnodes: 2\ncommands:\n  - set -x\n  - {READ}", 5),
    ("MN926", "Dockerfile", f"{DOCKER}RUN set -eux; TOKEN=$(cat /run/secrets/t); x\n", 2),
]
