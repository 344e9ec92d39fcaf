# A worker's work is done when the head is gone; its own Ray would take another minute to see that.
head_stays() {
  for _ in 1 2 3; do
    ! running "${PART_PID[ray]}" || timeout 5 bash -c ": </dev/tcp/${HEAD_IP}/${GCS_PORT}" 2>/dev/null && return 0
    sleep 1
  done
  say "the head has ended, and so does this node"
  return 1
}
