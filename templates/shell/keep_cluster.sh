# The driver is submitted from outside: the cluster stays up until it is stopped.
keep_cluster() {
  say "ready for Ray jobs; ssh -L 8265:$(host_port "${LOOPBACK}" "${DASHBOARD_PORT}") ${NODE_NAME} makes the dashboard local"
  wait_while true
}
