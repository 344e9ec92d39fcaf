# Ends this container when the job's end of its stdin closes. The engine that runs it is not part of the
# job and would keep it alive, GPUs and all.
watch_lifeline() {
  exec {LIFELINE}<&0 </dev/null
  {
    cat >/dev/null
    kill -TERM "$$"
  } <&"${LIFELINE}" &
}
