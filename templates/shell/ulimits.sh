# Sets a soft limit as far as the hard limit lets it; a lower hard limit is worth a warning, not the job.
set_limit() {
  local flag=$1 want=$2 hard
  hard=$(ulimit -H "${flag}")
  if [[ ${hard} == unlimited ]] || { [[ ${want} != unlimited ]] && ((want <= hard)); }; then
    ulimit -S "${flag}" "${want}"
  else
    ulimit -S "${flag}" "${hard}"
    say "warning: ulimit ${flag} stays at ${hard}, the hard limit here (wanted ${want})"
  fi
}
