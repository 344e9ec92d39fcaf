# Succeeds when a job of this status is tried again. A driver may have failed of a part's death: then the status of the
# step, the second one, or of the head says so.
is_retried() {
  local -a ends=("$@" "$(readlink "${JOB_DIR}/head.status")")
  [[ " ${ends[*]} " =~ " "(${RETRY_CODES})" " ]] && (($1 > 0 && ATTEMPT < RETRY_MAX))
}
