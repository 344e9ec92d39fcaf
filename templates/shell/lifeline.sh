# Ends this container when the job's end of its stdin closes. The engine that runs it is not part of the job and would
# keep it alive, GPUs and all. bash hears a signal when the command that it waits for has ended, so that gets it too.
watch_lifeline() {
  exec {LIFELINE}<&0 </dev/null
  {
    trap '' TERM
    cat >/dev/null
    kill -TERM 0
    timeout 60 tail --pid="$$" -f /dev/null >/dev/null || kill -KILL 0 # tail ends early where nobody reads it
  } <&"${LIFELINE}" &
}
