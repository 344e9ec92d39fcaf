# Prints this node's own address on the way to another, as the kernel routes it: the length of an address, or its
# place in a list, says nothing about it. One that only this node understands is none.
address_towards() {
  local version peer
  for version in "${IP_VERSIONS[@]}"; do
    for peer in $(getent "ahostsv${version}" "$1" | cut -d ' ' -f 1); do
      [[ $(ip -o route get "${peer}" 2>/dev/null) =~ ' src '([^ ]+) ]] || continue
      grep -Ev '^(127\.|169\.254\.|::1$|fe80:|::ffff:)' <<<"${BASH_REMATCH[1]}" && return 0
    done
  done
  return 1
}
