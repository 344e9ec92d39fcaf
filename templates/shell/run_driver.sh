# Runs the driver while every part is watched. Its status goes to a file, which nothing later can change.
run_driver() {
  local -i status=0
  say "driver: ${DRIVER[0]} with $((${#DRIVER[@]} - 1)) arguments"
  start_driver
  DRIVER_PID=$!
  printf '%s\n' "${DRIVER_PID}" >"${JOB_DIR}/driver.pid"
  wait_while running "${DRIVER_PID}"
  wait "${DRIVER_PID}" || status=$?
  say "driver ended with status ${status}"
  printf '%s\n' "${status}" >"${JOB_DIR}/driver.status"
}
