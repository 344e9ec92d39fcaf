# Passes the warning of the time limit, which the batch shell leaves as a file, to the driver's own process.
pass_time_limit() {
  until [[ -e ${JOB_DIR}/time_limit ]]; do sleep 1; done
  kill -s "${SIGNAL}" "$(<"${JOB_DIR}/driver.pid")"
  exec sleep infinity
}
