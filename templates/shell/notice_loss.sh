# A driver may have failed of a part's death, which shows in a moment; the batch shell ends the wait for it.
notice_loss() {
  [[ $(readlink "${JOB_DIR}/driver.status") == 0 ]] || wait_while true
}
