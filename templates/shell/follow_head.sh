# A worker's work is done when the head is gone; its own Ray would take another minute to see that.
follow_head() {
  local -i misses=0
  while ((misses < 3)); do
    if port_open "${HEAD_IP}" "${GCS_PORT}"; then
      misses=0
      check_parts
    else
      misses+=1
    fi
    sleep 2
  done
  say "the head has ended, and so does this node"
}
