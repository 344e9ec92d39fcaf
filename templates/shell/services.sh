# Waits until a service answers, as long as it lives.
wait_for_service() {
  local name=$1
  local -i deadline=$((SECONDS + $2))
  shift 2
  until timeout 10 "$@" >/dev/null 2>&1; do
    check_parts
    if ((SECONDS >= deadline)); then
      tail -n 20 "${LOGS}/${name}.log" >&2
      fail 76 "service ${name} is not ready on ${NODE_NAME}; its last lines are above"
    fi
    sleep 1
  done
  say "service ${name} is ready"
}
