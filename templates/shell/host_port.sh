# Joins host and port; an IPv6 address needs brackets there, and only there.
host_port() {
  case $1 in
    *:*) printf '[%s]:%s' "$1" "$2" ;;
    *) printf '%s:%s' "$1" "$2" ;;
  esac
}
