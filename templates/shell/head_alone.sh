# Sets HEAD_IP, this node's address on its way out; loopback will do where there is no other node.
choose_head_address() {
  local version
  for version in "${IP_VERSIONS[@]}"; do
    HEAD_IP=$(source_address "$([[ ${version} == 4 ]] && echo 192.0.2.1 || echo 2001:db8::1)") && return 0
    read -r HEAD_IP < <(own_addresses "${version}") && return 0
  done
  HEAD_IP=127.0.0.1
  say "warning: this node has no address but loopback"
}
