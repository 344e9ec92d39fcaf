# What runs on this node beside the driver, by name.
declare -A PART_PID=()

# Starts a part in a process group of its own, with its output in its own log. It does not see the signal
# by which a whole step is told to end; its node ends it in good order.
start_part() {
  (trap '' USR2 && exec setsid "${@:2}") </dev/null >"${LOGS}/$1.log" 2>&1 &
  PART_PID[$1]=$!
}

# Ends the job when a part has died, and shows how.
check_parts() {
  local name
  local -i status=0
  for name in "${!PART_PID[@]}"; do
    kill -0 "${PART_PID[${name}]}" 2>/dev/null && continue
    wait "${PART_PID[${name}]}" || status=$?
    ((status == 75)) || status=76
    tail -n 20 "${LOGS}/${name}.log" >&2
    fail "${status}" "${name} has ended on ${NODE_NAME}; its last lines are above"
  done
}

# Stops process groups that this job started. "ray stop" would end every Ray of this user. What bash would
# say about killed children helps nobody.
stop_groups() {
  (($# > 0)) || return 0
  {
    # A part that was started a moment ago has no group yet.
    kill -TERM -- "${@/#/-}" "$@" || return 0
    for _ in {1..50}; do
      kill -0 -- "${@/#/-}" "$@" || return 0
      sleep 0.1
    done
    kill -KILL -- "${@/#/-}"
    wait "$@"
  } 2>/dev/null
}
