# Messages carry time and node, for the merged log of all nodes. A full disk must not change how the job ends.
say() { printf '%(%H:%M:%S)T %s: %s\n' -1 "${NODE_NAME}" "$*" >&2 || true; }
fail() { say "ERROR: ${*:2}" && exit "$1"; }
