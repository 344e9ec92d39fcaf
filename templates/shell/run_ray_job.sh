# Submits the driver to Ray's job server. Ray pastes an entrypoint into a shell of its own and reports its
# end in words, so the entrypoint is one file, which keeps the driver's pid and status.
run_driver() {
  local file=${JOB_DIR}/driver.sh driver
  local -i status=0
  driver=$(printf '%q ' "${DRIVER[@]}")
  cat >"${file}" <<DRIVER
#!/usr/bin/env bash
status=0
trap 'printf "143\n" >"${JOB_DIR}/driver.exit"; exit 143' TERM INT
${driver} &
printf '%s\n' "\$!" >"${JOB_DIR}/driver.pid"
wait "\$!" || status=\$?
printf '%s\n' "\${status}" >"${JOB_DIR}/driver.exit"
exit "\${status}"
DRIVER
  until port_open "${LOOPBACK}" "${DASHBOARD_PORT}"; do
    check_parts
    sleep 0.5
  done
  say "driver: ${DRIVER[0]} with $((${#DRIVER[@]} - 1)) arguments, as Ray job ${JOB_NAME}-${JOB_ID}-${ATTEMPT}"
  setsid "${RAY[@]}" job submit --address "http://$(host_port "${LOOPBACK}" "${DASHBOARD_PORT}")" \
    --submission-id "${JOB_NAME}-${JOB_ID}-${ATTEMPT}" "${JOB_OPTIONS[@]}" -- bash "${file}" </dev/null &
  DRIVER_PID=$!
  while kill -0 "${DRIVER_PID}" 2>/dev/null; do
    check_parts
    sleep 0.5
  done
  wait "${DRIVER_PID}" || status=$?
  # The client may have ended without waiting; a client that failed never started the driver. "ray job stop"
  # ends the client well and the file above by TERM.
  while ((status == 0)) && [[ ! -e ${JOB_DIR}/driver.exit ]]; do
    check_parts
    sleep 0.5
  done
  [[ ! -e ${JOB_DIR}/driver.exit ]] || status=$(<"${JOB_DIR}/driver.exit")
  printf '%s\n' "${status}" >"${JOB_DIR}/driver.end"
  mv "${JOB_DIR}/driver.end" "${JOB_DIR}/driver.status"
  say "driver ended with status ${status}"
}
