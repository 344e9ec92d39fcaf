# Runs one step of the manifest in a shell of its own while every part is watched; its failure ends the job. Until it
# has ended it stands in the driver's place, so that whatever ends this node's work ends it too.
run_step() {
  local name=$1 file=$2
  local -i status=0
  say "step ${name}"
  (trap - INT && exec setsid bash -eo pipefail "${file}") </dev/null &
  DRIVER_PID=$!
  wait_while running "${DRIVER_PID}"
  wait "${DRIVER_PID}" || status=$?
  DRIVER_PID=''
  ((status == 0)) || fail 78 "step ${name} ended with status ${status}"
}
