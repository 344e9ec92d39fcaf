# Runs one step of the manifest in a shell of its own; its failure ends the job.
run_step() {
  local name=$1 file=$2
  local -i status=0
  say "step ${name}"
  bash -e "${file}" </dev/null || status=$?
  ((status == 0)) || fail 78 "step ${name} ended with status ${status}"
}
