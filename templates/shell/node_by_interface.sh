# Sets NODE_IP, this node's own address on the same interface or network as the head's, and its interface.
choose_node_address() {
  local version=4
  [[ ${HEAD_IP} != *:* ]] || version=6
  read -r NODE_IP < <(own_addresses "${version}" "${ADDRESS_FILTER[@]}") \
    || fail 75 "no usable IPv${version} address for '${ADDRESS_FILTER[*]}'"
  read -r _ NODE_INTERFACE _ < <(ip -o address show to "${NODE_IP}") || fail 75 "no interface here has ${NODE_IP}"
}
