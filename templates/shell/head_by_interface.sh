# Sets HEAD_IP, this node's address on the interface, or in the network, that was asked for.
choose_head_address() {
  local version
  for version in "${IP_VERSIONS[@]}"; do
    read -r HEAD_IP < <(own_addresses "${version}" "${ADDRESS_FILTER[@]}") && return 0
  done
  fail 75 "no usable address for '${ADDRESS_FILTER[*]}' (IP version ${IP_VERSIONS[*]})"
}
