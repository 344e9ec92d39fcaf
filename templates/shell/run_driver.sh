# Runs the driver while every part of the cluster is watched. Its status goes to a file, which nothing
# that happens afterwards can change.
run_driver() {
  local -i status=0
  say "driver: ${DRIVER[0]} with $((${#DRIVER[@]} - 1)) arguments"
  setsid "${DRIVER[@]}" </dev/null &
  DRIVER_PID=$!
  printf '%s\n' "${DRIVER_PID}" >"${JOB_DIR}/driver.pid"
  while kill -0 "${DRIVER_PID}" 2>/dev/null; do
    check_parts
    sleep 0.5
  done
  wait "${DRIVER_PID}" || status=$?
  printf '%s\n' "${status}" >"${JOB_DIR}/driver.end"
  mv "${JOB_DIR}/driver.end" "${JOB_DIR}/driver.status"
  say "driver ended with status ${status}"
}
