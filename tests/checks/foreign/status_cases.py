"""What becomes of the status of a command: ways that keep it and were misread, and losses beside them."""

from rule_beginnings import SB

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
]
