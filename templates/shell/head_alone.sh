# Sets HEAD_IP, this node's address on its way out (these two lead nowhere, and nothing is sent there); loopback
# will do where there is no other node.
choose_head_address() {
  local version
  HEAD_IP=$(address_towards 192.0.2.1 || address_towards 2001:db8::1) && return 0
  for version in "${IP_VERSIONS[@]}"; do
    read -r HEAD_IP < <(own_addresses "${version}") && return 0
  done
  HEAD_IP=127.0.0.1
  say "warning: this node has no address but loopback"
}
