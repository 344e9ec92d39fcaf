# A head that comes up late is no failure, one that never does is. bash wants a bare address here, IPv6 too.
head_is_missing() {
  ! timeout 5 bash -c ": </dev/tcp/${HEAD_IP}/${GCS_PORT}" 2>/dev/null || return 1
  ((SECONDS < DEADLINE)) || fail 75 "no head at ${HEAD_ADDRESS} in time"
}
