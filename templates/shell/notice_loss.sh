# A driver may fail of a part's death before that is noticed here, which decides whether the job is tried again.
notice_loss() {
  [[ $(readlink "${JOB_DIR}/driver.status") == 0 ]] || wait_while seconds_are_less $((SECONDS + 5))
}
seconds_are_less() { ((SECONDS < $1)); }
