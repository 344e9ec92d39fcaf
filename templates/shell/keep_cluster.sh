# The driver is submitted from outside: the cluster stays up until it is stopped.
keep_cluster() {
  say "ready for: ray job submit --address http://$(host_port "${HEAD_IP}" "${DASHBOARD_PORT}")"
  while true; do
    check_parts
    sleep 1
  done
}
