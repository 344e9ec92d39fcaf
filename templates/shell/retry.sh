# Succeeds when a job of this status is tried again. A driver may have failed of a part's death: then the end of the head,
# or of the step moments after the driver's, says so.
is_retried() {
  local lost
  lost=$(readlink "${JOB_DIR}/head.status") || lost=${STEP_ENDED}
  [[ ${lost} == 7[567] ]] || lost=''
  [[ " $1 ${lost} " =~ " "(${RETRY_CODES})" " ]] && (($1 > 0 && ATTEMPT < RETRY_MAX))
}
