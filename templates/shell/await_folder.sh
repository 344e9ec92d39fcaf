# Waits for another run to leave this machine's folder: SkyPilot starts the next job as soon as it has told the last one
# to end, for which that has half a minute.
await_folder() {
  local -i deadline=$((SECONDS + 60))
  [[ -n $(other_run "$1") ]] || return 0
  say "another run is still at work in $1; waiting up to a minute for its end"
  while [[ -n $(other_run "$1") ]] && ((SECONDS < deadline)); do sleep 1; done
}
