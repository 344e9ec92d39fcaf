# Messages carry time and node, so that the merged log of all nodes can be read; a full disk must not change how the
# job ends. "fail" ends this process.
say() { printf '%(%H:%M:%S)T %s: %s\n' -1 "${NODE_NAME}" "$*" >&2 || true; }
fail() { say "ERROR: ${*:2}" && exit "$1"; }
