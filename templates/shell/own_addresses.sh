# Prints this node's own addresses of one IP version, without those of container bridges. The words after
# the version narrow the search: "dev NAME", "to PREFIX".
own_addresses() {
  local device address flags
  while read -r _ device _ address flags; do
    [[ ${device} =~ ^(docker|br-|veth|virbr|cni|podman|lxc) || ${flags} =~ tentative|deprecated ]] \
      || printf '%s\n' "${address%%/*}"
  done < <(ip -o "-$1" address show scope global "${@:2}" 2>/dev/null)
}
