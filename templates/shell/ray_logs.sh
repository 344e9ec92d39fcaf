# Ray's own logs lie on the node and would go with it.
keep_ray_logs() {
  [[ -d ${JOB_DIR}/r/session_latest/logs ]] || return 0 # a node may fail before it knows LOG_DIR
  local to=${LOG_DIR}/ray-${JOB_ID}-${ATTEMPT}-${NODE_NAME}
  if mkdir -p "${to}" && cp -r "${JOB_DIR}/r/session_latest/logs/." "${to}"; then
    say "Ray's logs are in ${to}"
  else
    say "warning: cannot copy Ray's logs to ${to}"
  fi
}
