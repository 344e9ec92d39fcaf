# Runs the driver while every part is watched. A link keeps its status: written once, at once, on a full disk too.
run_driver() {
  local -i status=0
  say "driver: ${DRIVER[0]} with $((${#DRIVER[@]} - 1)) arguments"
  start_driver
  DRIVER_PID=$!
  ln -s "${DRIVER_PID}" "${JOB_DIR}/driver.pid"
  wait_while running "${DRIVER_PID}"
  wait "${DRIVER_PID}" || status=$?
  say "driver ended with status ${status}"
  ln -s "${status}" "${JOB_DIR}/driver.status"
}
