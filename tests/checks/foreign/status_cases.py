"""What becomes of the status of a command: ways that keep it and were misread, and losses beside them."""

from rule_beginnings import SB

TRIES = "for i in {1..30}; do\n  curl -sf $url >/dev/null && break\n  sleep 2\ndone\n"
LISTED = "for i in {1..30}; do\n  ray status | grep -q up && break\n  sleep 2\ndone\n"
ASKS = "for i in {1..30}; do\n  if ray status; then\n    break\n  fi\n  sleep 2\ndone\n"
UNTIL = "until ray status; do\n  ((n++ > 30)) && break\n  sleep 2\ndone\n"
TEE = "train 2>&1 | tee x.log\n"

# code, file name, a text without that defect
RIGHT = [
    # the status of each part of the pipe is asked for right behind it
    *(
        ("MN710", "a.sbatch", SB + TEE + behind)
        for behind in (
            'exit "${PIPESTATUS[0]}"\n',
            "exit $PIPESTATUS\n",
            'rc=${PIPESTATUS[0]}\necho "ended with $rc"\nexit "$rc"\n',
            'rc=("${PIPESTATUS[@]}")\nexit "${rc[0]}"\n',
            "rc=${PIPESTATUS[0]}; if (( rc != 0 )); then exit 1; fi\n",
            'if [[ "${PIPESTATUS[0]}" -ne 0 ]]; then\n  exit 1\nfi\n',
            'if [ "${PIPESTATUS[0]}" != 0 ]; then exit 1; fi\n',
            "if ((PIPESTATUS[0] != 0)); then exit 1; fi\n",
            "(( PIPESTATUS[0] == 0 )) || exit 1\n",
            "[[ ${PIPESTATUS[0]} -eq 0 ]] || { echo failed; exit 1; }\n",
            "[ ${PIPESTATUS[0]} -eq 0 ]\n",
        )
    ),
    ("MN710", "a.sh", "train | tee x.log; exit ${PIPESTATUS[0]}\n"),
    ("MN710", "a.sh", "f() {\n  train | tee x.log\n  return ${PIPESTATUS[0]}\n}\nf\n"),
    ("MN710", "a.sh", "data | train | tee x.log\nexit ${PIPESTATUS[1]}\n"),
    ("MN710", "a.sh", "srun bash -c 'train | tee x.log; exit ${PIPESTATUS[0]}'\n"),
    ("MN710", "a.sh", "set +e\ntrain | tee x.log\nrc=${PIPESTATUS[0]}\nset -e\n[[ $rc == 0 ]] || exit $rc\n"),
    # options of the first line
    *(
        ("MN710", "a.sh", f"{shebang}\n{TEE}")
        for shebang in (
            "#!/usr/bin/env -S bash -euo pipefail",
            "#!/usr/bin/env -S bash -o pipefail",
            "#!/usr/bin/env -S A=1 bash -e -u -o pipefail",
            "#!/usr/bin/env -Sbash -eo pipefail",
            "#!/bin/bash -o pipefail",
            "#! /bin/bash -euo pipefail",
        )
    ),
    *(
        ("MN711", "a.sh", f"{shebang}\nsrun a\nsrun b\nsrun c\n")
        for shebang in ("#!/usr/bin/env -S bash -euo pipefail", "#!/bin/bash -xe", "#!/usr/bin/env -S bash -o errexit")
    ),
    # what is only shown in front of the one step
    ("MN711", "a.sbatch", f"{SB}hostname\nnvidia-smi\nexport A=1\nsrun python train.py\n"),
    ("MN711", "a.sh", "whoami\npwd\nrocm-smi\nuname -a\ntorchrun t.py\n"),
    # the test once more behind the loop, where its failure ends the script
    *(
        ("MN721", "a.sh", f"set -e\n{loop}{test}\ntrain\n")
        for loop, test in (
            (TRIES, "curl -sf $url"),
            (TRIES, "curl -sf $url >/dev/null 2>&1"),
            (LISTED, "ray status | grep -q up"),
            (ASKS, "ray status"),
            (UNTIL, "ray status"),
            (TRIES, "echo waited\ncurl -sf $url"),
        )
    ),
    ("MN721", "a.sh", f"{TRIES}curl -sf $url || exit 1\ntrain\n"),
    ("MN721", "a.sh", f"{LISTED}ray status | sort | grep -q up || exit 1\ntrain\n"),
    # a failure that ended the script before its last command
    *(
        ("MN712", "a.sbatch", f"{SB}{before}\necho done\n")
        for before in (
            "python train.py || exit 1",
            "python train.py || exit",
            'python train.py || { echo "failed"; exit 1; }',
            "if ! python train.py; then exit 1; fi",
            "if ! python train.py; then\n  echo failed\n  exit 1\nfi",
            "if python train.py; then\n  echo good\nelse\n  echo failed\n  exit 1\nfi",
            'rc=0\npython train.py || rc=$?\nif [ "$rc" -ne 0 ]; then\n  exit "$rc"\nfi',
            "python train.py\nrc=$?\n[[ $rc -eq 0 ]] || exit $rc",
            "python train.py\n[ $? -eq 0 ] || exit 1",
            "python train.py\nif (($? != 0)); then exit 1; fi",
            "for i in 1 2; do\n  python train.py $i || exit 1\ndone",
            "python train.py | tee x\n[[ ${PIPESTATUS[0]} -eq 0 ]] || exit 1",
            "python train.py || exit 1\necho more",
        )
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    # too late, for another part of the pipe, for nobody, or where the last part alone decides
    *(
        ("MN710", "a.sh", TEE + behind, 1)
        for behind in (
            "echo done\nexit ${PIPESTATUS[0]}\n",
            "rc=$?\nexit $rc\n",
            "exit ${PIPESTATUS[1]}\n",
            'echo "ended with ${PIPESTATUS[0]}"\n',
            'rc=${PIPESTATUS[0]}\necho "ended with $rc"\n',
            "exit '${PIPESTATUS[0]}'\n",
        )
    ),
    ("MN710", "a.sh", "train | tee x.log || exit ${PIPESTATUS[0]}\n", 1),
    ("MN710", "a.sh", "train | tee x.log &\nexit ${PIPESTATUS[0]}\n", 1),
    ("MN710", "a.sh", f"#!/usr/bin/env -S bash -eu\n{TEE}", 2),
    ("MN711", "a.sh", "#!/usr/bin/env -S bash -uo pipefail\nsrun a\nsrun b\nsrun c\n", 2),
    ("MN711", "a.sbatch", f"{SB}nvidia-smi\nmodule load x\nsrun python train.py\n", 3),
    ("MN711", "a.sbatch", f"{SB}hostname\nsrun a\nsrun b\n", 3),
    # another test than that of the loop, one whose failure does not end the script, and one that is too late
    *(
        ("MN721", "a.sh", f"set -e\n{TRIES}{behind}\n", 5)
        for behind in ("curl -sf $other", "train\ntrain\ncurl -sf $url", "curl -sf $url && train")
    ),
    ("MN721", "a.sh", f"{TRIES}curl -sf $url\ntrain\n", 4),
    # a failure that ends no more than a subshell, that ends well, or of which nobody asks
    *(
        ("MN712", "a.sbatch", f"{SB}{before}\necho done\n", 4 + before.count("\n"))
        for before in (
            "(python train.py || exit 1)",
            "python train.py || exit 0",
            "python train.py || true",
            "python train.py || echo failed",
            'python train.py\nif [ -n "$x" ]; then exit 1; fi',
            "if [ $# -lt 1 ]; then exit 1; fi\npython train.py",
            "prepare || exit 1\npython train.py",
            "if ! python train.py; then echo failed; fi",
        )
    ),
]

TRY = "if fetch $f; then\n      break\n    fi\n    sleep 5\n"
OUTER = "for f in $files; do\n  {}done\n"
WRONG += [
    # the loop that tries, not the one around it; of those that a `break 2` leaves, the one that sleeps
    *(
        ("MN721", "a.sh", OUTER.format(inner), 1 + inner.count("\n"))
        for inner in (
            f"for i in 1 2 3; do\n    {TRY}  done\n",
            f"while ((i++ < 3)); do\n    {TRY}  done\n",
            "for i in 1 2 3; do\n    fetch $f && break\n    sleep 5\n  done\n",
        )
    ),
    ("MN721", "a.sh", "for i in 1 2 3; do\n  for f in $files; do\n    ask $f && break 2\n  done\n  sleep 5\ndone\n", 6),
    ("MN721", "a.sh", "for i in 1 2 3; do\n  for s in 1 2 3; do\n    sleep 5\n  done\n  ask && break\ndone\n", 6),
]

# code, file name, a text with that defect once, and nowhere else: how grave it is
SEVERITY = {
    ("MN721", "a.sh", text): "error"
    for text in (
        OUTER.format(f"for i in 1 2 3; do\n    {TRY}  done\n"),
        f"for g in 1 2; do\n{OUTER.format(f'for i in 1 2 3; do{chr(10)}    {TRY}  done{chr(10)}')}done\n",
        OUTER.format("for i in 1 2 3; do\n    ask $f && break 2\n    sleep 5\n  done\n"),
    )
}
