# Prints the address at which a port of this node answers: a server may listen at IPv6 addresses only, or at one.
listening_at() {
  local host
  for host in 127.0.0.1 ::1 "${NODE_IP}"; do
    timeout 5 bash -c ": </dev/tcp/${host}/$1" && echo "${host}" && return
  done
}
