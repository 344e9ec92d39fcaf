# What Ray, services and the job's other parts have written lies on the node and would go with it.
keep_ray_logs() {
  compgen -G "${JOB_DIR}/*.log" >/dev/null || return 0 # nothing was started here
  local session=${JOB_DIR}/r/session_latest/logs to=${LOG_DIR}/ray-${JOB_ID}-${ATTEMPT}-${NODE_NAME}
  if mkdir -p "${to}/parts" && cp "${JOB_DIR}"/*.log "${to}/parts" \
    && { [[ ! -d ${session} ]] || cp -r "${session}/." "${to}"; }; then
    say "Ray's logs are in ${to}, those of services in ${to}/parts"
  else
    say "warning: cannot copy the logs to ${to}"
  fi
}
