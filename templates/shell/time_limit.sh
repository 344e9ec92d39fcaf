# Passes the warning of the time limit, which the batch shell leaves as a file, to the driver's own process; it may come
# before the driver does.
pass_time_limit() {
  until [[ -e ${JOB_DIR}/time_limit && -L ${JOB_DIR}/driver.pid ]]; do sleep 1; done
  kill -s "${SIGNAL}" "$(readlink "${JOB_DIR}/driver.pid")"
  exec sleep infinity
}
