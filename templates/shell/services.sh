# Waits until a service answers, as long as it lives.
wait_for_service() {
  local -i deadline=$((SECONDS + $2))
  wait_while service_is_silent "$1" "${@:3}"
  say "service $1 is ready"
}
service_is_silent() {
  ! "${@:2}" >/dev/null 2>&1 || return 1
  ((SECONDS < deadline)) && return 0
  tail -n 20 "${JOB_DIR}/$1.log" >&2
  fail 76 "service $1 is not ready on ${NODE_NAME}; its last lines are above"
}
