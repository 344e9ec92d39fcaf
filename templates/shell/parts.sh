# What runs on this node beside the driver, by name; each part has a process group and a log of its own. It does
# not see the signal by which a whole step is told to end; its node ends it in good order.
declare -A PART_PID=()
start_part() {
  (trap '' USR2 && exec setsid "${@:2}") </dev/null >"${JOB_DIR}/$1.log" 2>&1 &
  PART_PID[$1]=$!
}

# Waits while a command succeeds. When a part dies meanwhile, the job ends and shows how.
wait_while() {
  local name
  local -i status=0
  while "$@"; do
    for name in "${!PART_PID[@]}"; do
      running "${PART_PID[${name}]}" && continue
      wait "${PART_PID[${name}]}" || status=$?
      tail -n 20 "${JOB_DIR}/${name}.log" >&2
      fail $((status == 75 ? 75 : 76)) "${name} has ended on ${NODE_NAME}; its last lines are above"
    done
    (trap '' TERM USR2 && exec sleep 0.5) || true # bash would report one that dies of what ends a step
  done
}
running() { kill -0 "$1" 2>/dev/null; }
