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
(trap - INT && exec ${driver}) & # which bash would let hear no Ctrl-C
ln -s "\$!" "${JOB_DIR}/driver.pid"
wait "\$!" || status=\$?
ln -s "\${status}" "${JOB_DIR}/driver.exit"
exit "\${status}"
DRIVER
  DEADLINE=$((SECONDS + READY_TIMEOUT))
  wait_while dashboard_is_missing
  say "driver: ${DRIVER[0]} with $((${#DRIVER[@]} - 1)) arguments, as Ray job ${job}"
  server=http://$(host_port "${LOOPBACK}" "${DASHBOARD_PORT}")
  no_proxy=${LOOPBACK} NO_PROXY=${LOOPBACK} setsid "${RAY[@]}" job submit --address "${server}" \
    --submission-id "${job}" "${JOB_OPTIONS[@]}" -- bash "${JOB_DIR}/driver.sh" </dev/null &
  DRIVER_PID=$!
  local -i patience=60
  wait_while client_goes_on
  kill -KILL -- "-${DRIVER_PID}" 2>/dev/null || true
  wait "${DRIVER_PID}" || status=$?
  # The client may have ended without waiting, or lost the server, while the driver goes on.
  DEADLINE=$((SECONDS + 60))
  wait_while driver_goes_on "${job}" "${server}"
  DEADLINE=$((SECONDS + 5)) # one that was killed may have died with Ray, whose own end is seen a moment later
  wait_while driver_has_no_status
  if [[ -L ${JOB_DIR}/driver.exit ]]; then
    status=$(readlink "${JOB_DIR}/driver.exit")
  elif ((status == 0)); then
    status=143 # by "ray job stop", which the client takes for a good end
  elif [[ ! -L ${JOB_DIR}/driver.shell ]]; then
    fail 78 "Ray did not start the driver; its reason is above"
  fi
  say "driver ended with status ${status}"
  ln -s "${status}" "${JOB_DIR}/driver.status"
}

# A Ray without its job server starts all the same.
dashboard_is_missing() {
  ! timeout 5 bash -c ": </dev/tcp/${LOOPBACK}/${DASHBOARD_PORT}" 2>/dev/null || return 1
  ((SECONDS < DEADLINE)) || fail 75 "Ray's job server does not answer; does the Python of this Ray have ray[default]?"
}

# The client shows the driver's last words, but may hang over it; half a minute is enough.
client_goes_on() {
  running "${DRIVER_PID}" && { ! driver_has_ended || ((patience-- > 0)); }
}
driver_has_ended() {
  [[ -L ${JOB_DIR}/driver.exit ]] \
    || { [[ -L ${JOB_DIR}/driver.shell ]] && ! running "$(readlink "${JOB_DIR}/driver.shell")"; }
}
driver_has_no_status() {
  [[ -L ${JOB_DIR}/driver.shell && ! -L ${JOB_DIR}/driver.exit ]] && ((SECONDS < DEADLINE))
}

# Succeeds while the driver runs, or Ray has not begun with it; one that was killed leaves no status. A server that does
# not answer may do so again.
driver_goes_on() {
  local said
  if [[ -L ${JOB_DIR}/driver.shell ]]; then
    driver_has_ended && return 1
    return 0
  fi
  said=$(no_proxy=${LOOPBACK} NO_PROXY=${LOOPBACK} timeout 30 "${RAY[@]}" job status --address "$2" "$1" 2>&1) || true
  [[ ${said} =~ "'$1': "(PENDING|RUNNING) ]] && return
  [[ ! ${said} =~ "'$1' "(succeeded|failed|was stopped)|"does not exist" ]] && ((SECONDS < DEADLINE))
}
