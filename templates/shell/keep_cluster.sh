# The driver is submitted from outside: the cluster stays up until it is stopped. Says what makes the dashboard local, and
# what the driver's arguments need in the shell that submits it.
keep_cluster() {
  local needed
  printf -v needed ' %q' "${@:2}"
  say "ready for Ray jobs; $1 makes the dashboard local"
  (($# == 1)) || say "in the shell that submits them: export${needed}"
  wait_while true
}
