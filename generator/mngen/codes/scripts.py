"""Codes of the lint of foreign files: YAML, image files, shell. Title, explanation and example."""

from __future__ import annotations

SCRIPT_CODES: dict[str, tuple[str, ...]] = {
    "MN700": (
        "file is not YAML",
        (
            "SkyPilot or dstack refuses the file as a whole. The message names the place where reading stopped; the "
            "fault is there or just above: indentation, an open quote, a tab, a value with `: ` in it, or one key "
            "given twice."
        ),
        "run: echo done: yes       # quote it, or use a `|` block",
    ),
    "MN701": (
        "block begins at its dash",
        (
            "The text of a `- |` block must stand further right than the dash. At the same column YAML takes the "
            "first line for the next key and stops. Indent the whole block by two blanks."
        ),
        "commands:\n  - |\n    python3 train.py       # two blanks further right than the dash",
    ),
    "MN702": (
        "gap never filled in",
        (
            "A `<word>` from an example is still there and reaches the program, or by an #SBATCH line sbatch, as it "
            "is. Write the value, or take it from a variable that stops the script when it is unset."
        ),
        'RAY_ADDRESS="http://<head>:8265"         # wrong\nRAY_ADDRESS="http://${HEAD:?}:8265"     # right',
    ),
    "MN703": (
        "long option with one dash",
        (
            "Programs read `-no-deps` as a row of one-letter options. pip and apt-get then stop; srun takes "
            "`-overlap` for `-o verlap` and writes its output to a file of that name. Long options have two dashes."
        ),
        "RUN pip install -no-build-isolation flash-attn     # write --no-build-isolation",
    ),
    "MN704": (
        "build variable that nothing declares",
        (
            "A RUN uses a variable that no ARG or ENV of its stage declares, so it is empty, without a warning. An "
            "ARG ends with its stage, and one before the first FROM holds in FROM lines alone: declare it again in "
            "every stage that needs it. `${NAME:?}` stops the build instead. It is a note where the base image is "
            "no plain one and may set it."
        ),
        (
            "ARG TORCH=2.9.1\nFROM ubuntu:24.04\nARG TORCH                         # without this line it is empty\n"
            "RUN pip install torch==${TORCH}"
        ),
    ),
    "MN705": (
        "source without revision",
        (
            "An address that ends with `@` names no revision, and pip refuses it. Most often the variable behind the "
            "`@` has no value. Name a tag or a commit, or give the variable a value in the file."
        ),
        "ARG VERL_REF=\nRUN pip install git+https://github.com/volcengine/verl@${VERL_REF}",
    ),
    "MN706": (
        "edit that nothing checks",
        (
            "`sed -i` succeeds when the text to replace is gone, and the build goes on with a program that was not "
            "changed. Ask for the new text with grep in the same step, or apply a patch, which fails when it does "
            "not fit."
        ),
        "RUN sed -i 's/gfx90a/gfx942/' setup.py && grep -q gfx942 setup.py",
    ),
    "MN707": (
        "variable of the launch in an image",
        (
            "Addresses, ranks, device lists, network interfaces and Ray's own variables differ from job to job and "
            "node to node. In an image they stand in every job; under Apptainer and pyxis an image's variable even "
            "wins over the job's, so that a launch script cannot correct it. Set them where the job starts. An "
            "interface pattern that only leaves devices out (`^docker0,lo`) holds everywhere."
        ),
        "ENV NCCL_SOCKET_IFNAME=eth0 CUDA_VISIBLE_DEVICES=0     # remove both",
    ),
    "MN708": (
        "head of a definition file",
        (
            "Before its first section an Apptainer definition holds only `Key: value` lines and comments: "
            "`Bootstrap: docker`, then `From: image`. A Dockerfile's `FROM image`, without colon, stops the build."
        ),
        "Bootstrap: docker\nFrom: nvidia/cuda:12.8.1-devel-ubuntu24.04",
    ),
    "MN710": (
        "exit status lost in a pipe",
        (
            "A pipe ends with the status of its last command. Behind `| tee` a failed training counts as success, "
            "and retries, dependent jobs and alerts are fooled. Put `set -o pipefail` at the top, or redirect to a "
            "file. It is a note where a file of the script's own is sourced before, which may have set it."
        ),
        "set -o pipefail\npython3 train.py 2>&1 | tee train.log",
    ),
    "MN711": (
        "script goes on after a failure",
        (
            "Without errexit a failed step does not end the script: it runs on with what is left, and may hold "
            "the nodes. Begin with `set -euo pipefail`: stop at a failure, at an unset variable, and at a failure "
            "inside a pipe. It is a note where a file of the script's own is sourced, which may have set it."
        ),
        "#!/bin/bash\nset -euo pipefail",
    ),
    "MN712": (
        "script always succeeds",
        (
            "A script ends with the status of its last command. An echo at the end reports success whatever happened "
            "before. Turn errexit on, or keep the status of the command that matters and end with it. dstack joins the "
            "items of `commands` with `&&`, so there only what stands in one item counts. Errexit does not help where "
            "`|| true`, `|| echo …` or an `if` takes the status of the driver, nor with a `wait` for no process: "
            'it returns 0. `wait -n` and `wait "$pid"` return the status of a process.'
        ),
        'rc=0\npython3 train.py || rc=$?\necho "ended with ${rc}"\nexit "${rc}"',
    ),
    "MN713": (
        "argument goes to tee",
        (
            "Every word after `tee` is a file to write. Most often a backslash too many joins the next line of "
            "arguments to it, so the program does not get them. Arguments of the program belong before the pipe."
        ),
        "python3 train.py a=1 | tee train.log \\\n  b=2                        # a second log called b=2",
    ),
    "MN714": (
        "two numbers instead of one",
        (
            "`grep -c` prints 0 and fails when nothing matches, so `|| echo 0` adds a second line, and a comparison "
            "with it is an error. Write `|| true`."
        ),
        "n=$(ray status | grep -c node_ || true)",
    ),
    "MN715": (
        "lines counted as nodes",
        (
            "Counting lines of text also counts headers, dead nodes and an empty line: `wc -l` says 1 for an empty "
            "variable. The launcher knows the number of nodes (SLURM_JOB_NUM_NODES, SKYPILOT_NUM_NODES, "
            "DSTACK_NODES_NUM); `ray.nodes()` knows which are alive. In a SkyPilot task "
            '`echo "$SKYPILOT_NODE_IPS" | wc -l` is right, and a note; of a count that is only printed nothing is said.'
        ),
        "n=$(ray list nodes | wc -l)     # wrong\nn=$SLURM_JOB_NUM_NODES          # right",
    ),
    "MN716": (
        "process list asked for Ray",
        (
            "A search of the process list finds itself, other jobs and users of that name, so Ray is not started at "
            "all, or looks started. Ask the one address that matters."
        ),
        'timeout 30 ray health-check --address "${HEAD_ADDRESS}"',
    ),
    "MN717": (
        "background process unwatched",
        (
            "When nobody has its id, nobody notices when a background process dies: the job holds its nodes until "
            "the time limit. Keep `$!`, and end the job when that process ends. A job's script that does not wait at "
            "all ends the job at once, and whatever it started."
        ),
        "ray start --head --block &\nray=$!\nwait -n",
    ),
    "MN718": (
        "nothing is stopped",
        (
            "A script that starts processes or containers must stop them at its end, after a failure and when the "
            "job is cancelled; else they keep GPUs and ports. Set the trap before the first start, and stop only "
            "what this job started."
        ),
        "trap 'kill \"${ray}\" 2>/dev/null || true' EXIT\ntrap 'exit 143' TERM INT",
    ),
    "MN719": (
        "fixed sleep",
        (
            "A fixed time is too short on a bad day and wasted on a good one, on every node. Ask again and again for "
            "the thing itself, and fail after a deadline."
        ),
        'until ray health-check --address "${HEAD_ADDRESS}"; do\n  ((SECONDS < 300)) || exit 75\n  sleep 2\ndone',
    ),
    "MN720": (
        "wait without a deadline",
        (
            "When the thing never comes, the loop holds all nodes until the time limit. Count the seconds and fail; "
            "bash counts them in SECONDS."
        ),
        "until ready; do\n  ((SECONDS < 300)) || exit 75\n  sleep 2\ndone",
    ),
    "MN721": (
        "wait or retry that gives up in silence",
        (
            "After the last try the script goes on as if it had succeeded, and trains with fewer nodes, without what "
            "was to be fetched, or hangs. Test once more behind the loop and fail."
        ),
        "for _ in {1..30}; do\n  ready && break\n  sleep 2\ndone\nready || exit 75",
    ),
    "MN722": (
        "list in one array element",
        (
            '`array=("$list")` makes one element that holds all names, because the quotes keep the list together: '
            "`${array[0]}` is then no node's name. Read one name per line, and compare the length with the number of "
            "nodes."
        ),
        'mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")',
    ),
    "MN723": (
        "quotes inside quotes",
        (
            "A double quote inside a double-quoted script ends it: what stands between the inner pair is outside of "
            "all quotes, and breaks at its first blank. Hand such scripts over in a here-document with a quoted end "
            "word."
        ),
        "srun bash -s <<'END'\ndocker images --format \"{{.ID}}\"\nEND",
    ),
    "MN724": (
        "variable expanded too early",
        (
            'In `srun bash -c "… $SLURM_PROCID …"` the batch host\'s shell puts its own value in before srun '
            "starts, so every task gets rank 0. So it does in `srun torchrun --node_rank=$SLURM_NODEID …`, in "
            "`srun --export=ALL,RANK=$SLURM_PROCID …`, and in `export RANK=$SLURM_PROCID` before srun. Single quotes "
            "leave it to each task's shell. In `sbatch <<EOF` the submitting shell does the same to the whole job; "
            "`<<'EOF'` leaves it to the job."
        ),
        "srun bash -c 'echo \"rank ${SLURM_PROCID}\"'",
    ),
    "MN725": (
        "quotes taken away",
        (
            "In an unquoted `key=['a','b']` the shell removes the inner quotes, and may replace `[…]` by a file "
            "whose name fits, as it is a glob pattern. Quote the whole argument. Of an override of Hydra whose list "
            "has plain words or paths alone it is a note: they mean the same without quotes."
        ),
        (
            "data.files=['a b.parquet','2']         # the program gets [a b.parquet,2]\n"
            '\'data.files=["a b.parquet","2"]\'       # right'
        ),
    ),
    "MN726": (
        "key given twice",
        (
            "Of two arguments with one key only one counts; which one, or whether both are refused, is the program's "
            "choice. Keep one."
        ),
        "trainer.nnodes=4 trainer.nnodes=2",
    ),
    "MN727": (
        "value never used",
        (
            "A variable is set, and set again before anybody reads it. The first value has no effect; often the "
            "wrong one is left."
        ),
        "MODEL=Qwen/Qwen2.5-7B\nMODEL=Qwen/Qwen2.5-32B      # the first line does nothing",
    ),
    "MN728": (
        "error printed and ignored",
        (
            "The script prints an error, goes on with the next node, and runs with fewer parts than asked for. It is "
            'told where `continue` follows, and where `|| echo "ERROR …"` is all that becomes of a failure in a `for` '
            "loop. Print it to stderr and exit."
        ),
        '[[ -n ${node} ]] || { echo "a node has no name" >&2; exit 1; }',
    ),
    "MN729": (
        "exception swallowed",
        (
            "A Python test that catches its exception and prints it ends with status 0, and the script takes that "
            "for success. Let the exception end the program, and compare what it finds with what was asked for."
        ),
        "python3 -c 'import ray; ray.init(); assert len(ray.nodes()) == 2'",
    ),
}
