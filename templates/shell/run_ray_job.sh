# Submits the driver to Ray's job server. Ray pastes an entrypoint into a shell of its own and reports its
# end in words, so the entrypoint is one file, which keeps pids and status as links: written once, at once, on
# a full disk too.
run_driver() {
  local job=${JOB_NAME}-${JOB_ID}-${ATTEMPT} driver server
  local -i status=0
  driver=$(printf '%q ' "${DRIVER[@]}")
  cat >"${JOB_DIR}/driver.sh" <<DRIVER
#!/usr/bin/env bash
status=0
ln -s "\$\$" "${JOB_DIR}/driver.shell"
trap 'ln -s 143 "${JOB_DIR}/driver.exit"; exit 143' TERM INT
${driver} &
ln -s "\$!" "${JOB_DIR}/driver.pid"
wait "\$!" || status=\$?
ln -s "\${status}" "${JOB_DIR}/driver.exit"
exit "\${status}"
DRIVER
  wait_while dashboard_is_missing
  say "driver: ${DRIVER[0]} with $((${#DRIVER[@]} - 1)) arguments, as Ray job ${job}"
  server=http://$(host_port "${LOOPBACK}" "${DASHBOARD_PORT}")
  setsid "${RAY[@]}" job submit --address "${server}" \
    --submission-id "${job}" "${JOB_OPTIONS[@]}" -- bash "${JOB_DIR}/driver.sh" </dev/null &
  DRIVER_PID=$!
  wait_while running "${DRIVER_PID}"
  wait "${DRIVER_PID}" || status=$?
  # The client may have ended without waiting, or lost the server, while the driver goes on; only one that failed before
  # its job began is the end. After "ray job stop" it ends well, and the file above by TERM, or before its first line.
  if ((status == 0)) || [[ -L ${JOB_DIR}/driver.shell ]]; then
    wait_while driver_goes_on "${job}" "${server}"
    ((status > 0)) || status=143
  fi
  [[ ! -L ${JOB_DIR}/driver.exit ]] || status=$(readlink "${JOB_DIR}/driver.exit")
  say "driver ended with status ${status}"
  ln -s "${status}" "${JOB_DIR}/driver.status"
}

# Succeeds while the driver runs, or Ray has not begun with it; one that was killed leaves no status.
driver_goes_on() {
  local said
  if [[ -L ${JOB_DIR}/driver.shell ]]; then
    running "$(readlink "${JOB_DIR}/driver.shell")" && [[ ! -L ${JOB_DIR}/driver.exit ]]
  else
    said=$("${RAY[@]}" job status --address "$2" "$1" 2>&1) || true
    [[ ! ${said} =~ "'$1' "(succeeded|failed|was stopped) ]]
  fi
}

dashboard_is_missing() { ! timeout 5 bash -c ": </dev/tcp/${LOOPBACK}/${DASHBOARD_PORT}" 2>/dev/null; }
