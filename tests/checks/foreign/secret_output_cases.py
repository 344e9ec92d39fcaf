"""Secrets that reach the log or a command line by way of another variable or a here-document."""

KEY = "WANDB_API_KEY=$WANDB_API_KEY uv run x"
QUOTED = ("<<'E'", '<<"E"', "<<\\E", "<<-'E'")

# each leaves the value of a key in COMMAND
FILLED = (
    *(f'COMMAND="{KEY}"', f"export COMMAND={KEY.split(maxsplit=1)[0]}", f'COMMAND="a b"\nCOMMAND+=" {KEY}"'),
    *(f"read -r -d '' COMMAND <<E\n{KEY}\nE", f"IFS= read -rd '' COMMAND <<-E || true\n\t{KEY}\n\tE"),
    *(f"COMMAND=$(cat <<E\n{KEY}\nE\n)", f'COMMAND="$(cat <<E\n{KEY}\nE\n)"', f'COMMAND=$(echo "{KEY}")'),
    *('K=$HF_TOKEN\nCOMMAND="x --token ${K}"', 'COMMAND="x ${HF_TOKEN:-none}"', 'declare COMMAND="$DB_PASSWORD"'),
    *('printf -v COMMAND "x %s" "$HF_TOKEN"', "COMMAND=(x -e HF_TOKEN=$HF_TOKEN)", 'read -r COMMAND <<< "$HF_TOKEN"'),
    *(f'if x; then COMMAND=y; else COMMAND="{KEY}"; fi', f'COMMAND="{KEY}"\nif x; then COMMAND=y; fi'),
    f'f() {{\n  local COMMAND="{KEY}"\n  true\n}}',
)
# and each of these does not
UNFILLED = (
    *(f"COMMAND='{KEY}'", 'COMMAND="x \\$HF_TOKEN"', 'COMMAND="${HF_TOKEN:+set}"', 'COMMAND="${#HF_TOKEN}"'),
    *(f"read -r -d '' COMMAND {word}\n{KEY}\nE" for word in QUOTED),
    *(f"COMMAND=$(cat {word}\n{KEY}\nE\n)" for word in QUOTED),
    *("read -r -d '' COMMAND <<E\nK=\\$WANDB_API_KEY x\nE", 'COMMAND=$(curl -H "$x" h)', "COMMAND=$(md5sum <<< $x)"),
    *(f'COMMAND="{KEY}"\nCOMMAND=y', f'COMMAND="{KEY}"\nunset COMMAND', 'COMMAND="$EOS_TOKEN"', "COMMAND=HF_TOKEN"),
    *('COMMAND=$(wc -c <<< "$HF_TOKEN")', 'COMMAND=$(curl -H "Authorization: $(cat f)" h)', "read -r HF_TOKEN COMMAND"),
)
SHOWN = (
    *('echo "$COMMAND"', "echo running: $COMMAND", 'echo "${COMMAND}" >&2', 'printf "%s\\n" "$COMMAND"'),
    *('cat <<< "$COMMAND"', "cat <<E\nrun $COMMAND\nE", 'echo "$COMMAND" | tee run.log', 'echo "${COMMAND[@]}"'),
)
HIDDEN = (
    *('echo "$COMMAND" > x', 'printf "%s" "$COMMAND" >x', 'cat <<< "$COMMAND" > x', "cat <<'E'\nrun $COMMAND\nE"),
    *("cat > x <<E\nrun $COMMAND\nE", 'echo "${COMMAND:+set}" "${#COMMAND}"', "echo '$COMMAND'", 'echo "\\$COMMAND"'),
    *("[[ -n $COMMAND ]]", 'x=$(echo "$COMMAND" | md5sum)', 'export OTHER="$COMMAND"'),
    *(
        'echo "$COMMANDS"',
        'echo "$COMMAND" | login --stdin',
        "cat <<E | login\n$COMMAND\nE",
        'COMMAND="$COMMAND" srun x',
    ),
)
# a group, loop, branch or function around it, by which its output goes elsewhere
AROUND = (
    *("{{\n  {}\n}} > x", "(\n  {}\n) >> x", "for i in a; do\n  {}\ndone > x", "if y; then\n  {}\nfi > x"),
    *("f() {{\n  {}\n}} > x", "{{ {{ true; }}; {}\n}} > x", "{{ if y; then {}\n  fi; z; }} > x", "(\n  {}\n) | login"),
)
# and by which it does not
OPEN = (
    *("{{\n  {}\n}}", "{{ y; }} > x\n{}", "{}\n{{ y; }} > x", "{{\n  {}\n}} | tee x", "{{\n  {}\n}} 2> x"),
    *("{{ {{ y; }} > x\n  {}\n}}", "if y; then\n  {}\nfi", "for i in a; do y; done > x\n{}"),
)
SAYS = 'echo "$HF_TOKEN"'


def _line(text: str) -> int:
    return 2 + text.count("\n")


def _at(around: str) -> int:
    return 1 + around.partition("{}")[0].count("\n")


_PRINTS = (("MN783", SAYS), ("MN782", "printenv"))


# code, file name, a text without that defect
RIGHT = [
    *(("MN783", "a.sh", f"{filled}\n{hidden}\n") for filled in FILLED for hidden in HIDDEN),
    *(("MN783", "a.sh", f"{unfilled}\n{shown}\n") for unfilled in UNFILLED for shown in SHOWN),
    # the name of a function, most likely, of a file that is read before
    ("MN783", "a.sh", f'source ./tools.sh\n{FILLED[0]}\nlog_command "$COMMAND"\n'),
    # what is evaluated here has it in its environment
    ("MN783", "a.sh", f'{FILLED[0]}\neval "$COMMAND"\nsrun bash -c \'echo "$COMMAND"\'\n'),
    *((code, "a.sh", f"{around.format(text)}\n") for code, text in _PRINTS for around in AROUND),
    # before it is filled
    *(("MN783", "a.sh", f"{shown}\n{FILLED[0]}\n") for shown in SHOWN),
    ("MN783", "a.sh", "echo '$HF_TOKEN'\necho \"\\$HF_TOKEN\"\nprintf '%s' \"$HF_TOKEN\" > f\n"),
    ("MN783", "a.sh", "printf '%s' \"$HF_TOKEN\" | login --stdin\nprintf -v x '%s' \"$HF_TOKEN\"\n"),
    ("MN783", "a.sh", "x=$(printf '%s' \"$HF_TOKEN\" | base64)\ncat > f <<E\n$HF_TOKEN\nE\ncat <<'E'\n$HF_TOKEN\nE\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN783", "a.sh", f"{filled}\n{shown}\n", _line(filled)) for filled in FILLED[:-1] for shown in SHOWN),
    *(("MN783", "a.sh", f"{FILLED[-1][:-7]}  {shown}\n}}\n", 3) for shown in SHOWN[:4]),
    # and on a command line
    *(
        ("MN783", "a.sh", f"{filled}\n{run}\n", _line(filled))
        for filled in FILLED[:5]
        for run in ('srun bash -c "$COMMAND"', "docker run img $COMMAND", 'ssh "$h" "$COMMAND"')
    ),
    ("MN783", "a.sh", 'args=(-e HF_TOKEN=$HF_TOKEN)\ndocker run "${args[@]}" img\n', 2),
    ("MN783", "a.sh", 'AUTH="Authorization: Bearer $HF_TOKEN"\ncurl -H "$AUTH" https://h\n', 2),
    ("MN783", "a.sh", f"export {FILLED[0]}\nsrun bash -c 'echo \"$COMMAND\"'\n", 2),
    *((code, "a.sh", f"{around.format(text)}\n", _at(around)) for code, text in _PRINTS for around in OPEN),
    # without a variable between
    *(("MN783", "a.sh", f"{text}\n", 1) for text in ('printf "%s\\n" "$HF_TOKEN"', 'cat <<< "$HF_TOKEN"')),
    *(("MN783", "a.sh", f"true\ncat <<{mark}\nkey: $HF_TOKEN\nE\n", 2) for mark in ("E", "-E", " E >&2")),
]

PIECES = ("${HF_TOKEN:0:3}", "${HF_TOKEN::4}", "${HF_TOKEN: -4}", "${HF_TOKEN:(-4)}", "${HF_TOKEN: -4:4}")
MORE_THAN_PIECES = ("${HF_TOKEN:0:20}", "${HF_TOKEN:3}", "${HF_TOKEN:-none}", "${HF_TOKEN:0:$n}", "${HF_TOKEN:-4}")

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    **{("MN783", "a.sh", f'echo "token: {piece}..."\n'): "note" for piece in PIECES},
    **{("MN783", "a.sh", f'login --token "{piece}"\n'): "note" for piece in PIECES},
    **{("MN783", "a.sh", f'echo "token: {whole}"\n'): "error" for whole in MORE_THAN_PIECES},
    ("MN783", "a.sh", 'echo "${HF_TOKEN:0:3} $HF_TOKEN"\n'): "error",
    ("MN783", "a.sh", 'echo "${HF_TOKEN:0:3} $API_KEY"\n'): "error",
}
