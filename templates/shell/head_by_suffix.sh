# Sets HEAD_IP, what this node's name with the site's suffix, its name on the fast network, stands for. The suffix goes
# before the name's domain.
choose_head_address() {
  local version name=${NODE_NAMES[0]%%.*}${HOST_SUFFIX}${NODE_NAMES[0]#"${NODE_NAMES[0]%%.*}"}
  for version in "${IP_VERSIONS[@]}"; do
    for HEAD_IP in $(getent "ahostsv${version}" "${name}" | cut -d ' ' -f 1); do
      [[ ${HEAD_IP} =~ ^(127\.|169\.254\.|::1$|fe80:|::ffff:) ]] || return 0
    done
  done
  fail 75 "${name} stands for no usable address (IP version ${IP_VERSIONS[*]})"
}
