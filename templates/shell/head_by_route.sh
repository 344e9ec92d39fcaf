# Sets HEAD_IP, this node's address on the way to the next node. The length of an address, or its place in
# a list, says nothing about it.
choose_head_address() {
  local version peer
  for version in "${IP_VERSIONS[@]}"; do
    for peer in $(getent "ahostsv${version}" "${NODE_NAMES[1]}" | cut -d ' ' -f 1); do
      HEAD_IP=$(source_address "${peer}") && return 0
    done
  done
  fail 75 "no address on the way to ${NODE_NAMES[1]} (IP version ${IP_VERSIONS[*]})"
}
