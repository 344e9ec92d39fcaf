"""Codes of the lint of foreign files: YAML, image files, shell. Title and explanation."""

from __future__ import annotations

SCRIPT_CODES: dict[str, tuple[str, ...]] = {
    "MN700": (
        "file is not YAML",
        (
            "The client refuses the file as a whole. Check indentation, quotes, tabs and repeated keys at the place "
            "named."
        ),
    ),
    "MN701": (
        "block begins at its dash",
        (
            "The text of a `- |` block must stand further right than the dash. At the same column YAML takes the "
            "first line for the next key and stops. Indent the whole block by two blanks."
        ),
    ),
    "MN702": (
        "gap never filled in",
        (
            "A `<word>` from an example is still there and reaches the program as it is. Write the value, or take it "
            "from a variable that stops the script when it is unset: `${NAME:?}`."
        ),
    ),
    "MN703": (
        "long option with one dash",
        ("pip reads `-no-deps` as a row of one-letter options and stops. Long options have two dashes."),
    ),
    "MN704": (
        "build variable that nothing declares",
        (
            "A RUN uses a variable that no ARG or ENV of its stage declares, so it is empty. ARG ends with each FROM: "
            "declare it again in every stage that needs it, or write `${NAME:?}` to stop the build."
        ),
    ),
    "MN705": (
        "source without revision",
        (
            "An address that ends with `@` names no revision, which pip refuses. Name a tag or a commit, and give the "
            "variable that holds it a value in the file."
        ),
    ),
    "MN706": (
        "edit that nothing checks",
        (
            "`sed -i` succeeds when the text to replace is gone, and the build goes on with a program that was not "
            "changed. Check the result with grep, or apply a patch: that fails when it does not fit."
        ),
    ),
    "MN707": (
        "cluster's variable in an image",
        (
            "Under Apptainer and pyxis an image's variables win over the host's. Interface names, addresses, device "
            "lists and RAY_ variables belong to the launch, never to an image."
        ),
    ),
    "MN708": (
        "head of a definition file",
        (
            "The head of an Apptainer definition holds `Key: value` lines: `Bootstrap: docker`, then `From: image`. "
            "Anything else stops the build."
        ),
    ),
    "MN710": (
        "exit status lost in a pipe",
        (
            "A pipe ends with the status of its last command. Behind `| tee` a failed training counts as success, and "
            "so do retries and dependent jobs. Put `set -o pipefail` at the top, or redirect to a file."
        ),
    ),
    "MN711": (
        "script goes on after a failure",
        (
            "Without errexit a failed step does not end the script: it runs on with what is left and holds the nodes. "
            "Begin with `set -euo pipefail`."
        ),
    ),
    "MN712": (
        "script always succeeds",
        (
            "A script ends with the status of its last command. An echo at the end reports success whatever happened "
            "before. Keep the status of the command that matters and `exit` with it."
        ),
    ),
    "MN713": (
        "argument goes to tee",
        ("Every word after `tee` is a file to write. Arguments of the program belong before the pipe."),
    ),
    "MN714": (
        "two numbers instead of one",
        (
            "`grep -c` prints 0 and fails when nothing matches, so `|| echo 0` adds a second line, and a comparison "
            "with it is an error. Write `|| true`, or ask for the number itself."
        ),
    ),
    "MN715": (
        "lines counted as nodes",
        (
            "Counting lines of text also counts headers, dead nodes and an empty line. The launcher knows the number "
            "of nodes; `ray.nodes()` knows which are alive."
        ),
    ),
    "MN716": (
        "process list asked for Ray",
        (
            "A search of the process list finds itself, other jobs and users of that name, so Ray is not started at "
            "all, or looks started. Ask the exact address with `ray health-check`."
        ),
    ),
    "MN717": (
        "background process unwatched",
        (
            "Without its id nobody notices when a background process dies: the job holds its nodes until the time "
            "limit. Keep `$!` and end the job when that process ends."
        ),
    ),
    "MN718": (
        "nothing is stopped",
        (
            "A script that starts processes or containers must stop them at its end, on a failure and when it is "
            "cancelled. Set the trap before the first start."
        ),
    ),
    "MN719": (
        "fixed sleep",
        (
            "A fixed time is too short on a bad day and wasted on a good one, on every node. Poll for the thing "
            "itself with a deadline."
        ),
    ),
    "MN720": (
        "wait without a deadline",
        ("When the thing never comes, the loop holds all nodes until the time limit. Count the seconds and fail."),
    ),
    "MN721": (
        "wait that gives up in silence",
        (
            "After the last try the script goes on as if the wait had succeeded, and trains with fewer nodes or "
            "hangs. Fail behind the loop."
        ),
    ),
    "MN722": (
        "list in one array element",
        (
            '`array=("$list")` makes one element that holds all names, so no node of that name exists. Read one name '
            "per line with `mapfile -t`, and compare the length with the number of nodes."
        ),
    ),
    "MN723": (
        "quotes inside quotes",
        (
            "A double quote inside a double-quoted script ends it. Hand inner scripts over in a here-document with a "
            "quoted end word."
        ),
    ),
    "MN724": (
        "variable expanded too early",
        (
            '`srun bash -c "… $SLURM_PROCID …"` is expanded on the batch host, so that every task gets rank 0. Use '
            "single quotes or a quoted here-document."
        ),
    ),
    "MN725": (
        "quotes taken away",
        (
            "In an unquoted `key=['a','b']` the shell removes the inner quotes and may read `[…]` as a glob pattern. "
            "Quote the whole argument."
        ),
    ),
    "MN726": (
        "key given twice",
        ("Of two arguments with one key only one counts, and which one is the program's choice. Keep one."),
    ),
    "MN727": (
        "value never used",
        (
            "A variable is set, and set again before anybody reads it. The first value has no effect; often the wrong "
            "one is left."
        ),
    ),
    "MN728": (
        "error printed and ignored",
        ("The script prints an error and goes on with fewer parts than asked for. Print it to stderr and exit."),
    ),
    "MN729": (
        "exception swallowed",
        (
            "A Python test that prints its exception ends with status 0. Let the exception end the program, and "
            "compare what it finds with what was asked for."
        ),
    ),
}
