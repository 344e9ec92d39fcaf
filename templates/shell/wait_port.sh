# Succeeds when something listens there; bash wants a bare address here, IPv6 too.
port_open() {
  timeout 5 bash -c ": </dev/tcp/$1/$2" 2>/dev/null
}

# Waits for the head's port; a head that comes up late is no failure, one that never does is.
wait_for_head() {
  local -i limit=${1:-${READY_TIMEOUT}} start=${SECONDS}
  until port_open "${HEAD_IP}" "${GCS_PORT}"; do
    check_parts
    ((SECONDS - start < limit)) || fail 75 "no head at ${HEAD_ADDRESS} after ${limit} s"
    sleep 0.5
  done
}
