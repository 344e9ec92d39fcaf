# Prints the address that this node uses towards another one, as the kernel routes it; never one that
# only this node understands.
source_address() {
  local route
  route=$(ip -o route get "$1" 2>/dev/null) && [[ ${route} =~ ' src '([^ ]+) ]] || return 1
  case ${BASH_REMATCH[1]} in
    127.* | 169.254.* | ::1 | fe80:* | ::ffff:*) return 1 ;;
    *) printf '%s\n' "${BASH_REMATCH[1]}" ;;
  esac
}
