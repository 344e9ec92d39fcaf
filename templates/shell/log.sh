# Messages carry time and node, so that the merged log of all nodes can be read.
say() {
  printf '%(%H:%M:%S)T %s: %s\n' -1 "${NODE_NAME}" "$*" >&2
}

# Ends this process with one of the statuses listed at the top of this file.
fail() {
  local status=$1
  shift
  say "ERROR: $*"
  exit "${status}"
}
