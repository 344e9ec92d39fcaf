# Sets HEAD_IP, the address of the head that was named, of the IP version that it chooses for itself if it can.
find_head() {
  local version
  for version in "${IP_VERSIONS[@]}"; do
    read -r HEAD_IP _ < <(getent "ahostsv${version}" "$1" | grep -v '^::ffff:') && return 0
  done
  fail 78 "nothing is known of $1 (IP version ${IP_VERSIONS[*]})"
}
