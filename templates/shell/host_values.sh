# Stops when a variable that the manifest takes from the node is not set there.
require_variables() {
  local name
  for name in "$@"; do
    [[ -n ${!name:-} ]] || fail 78 "the manifest uses \${{ env.${name} }}, which is not set on this node"
  done
}
