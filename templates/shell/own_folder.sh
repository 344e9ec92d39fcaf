# Makes this machine's folder for the run. A run that was killed may have left one; a run that is at work, or what one
# that was killed has left running, keeps its own. JOB_DIR, which is cleared away at the end, is set last.
take_folder() {
  local folder=$1 others said
  others=$(other_run "${folder}")
  [[ -z ${others} ]] \
    || fail 78 "another run is at work in ${folder} on this machine, or has left processes:" "${others//$'\n'/ }"
  said=$(rm -rf -- "${folder}" 2>&1) \
    || fail 78 "cannot clear ${folder}: ${said##*$'\n'}; if it is root's: sudo rm -rf ${folder}"
  mkdir -m 700 "${folder}" || fail 78 "${folder} cannot be made"
  JOB_DIR=${folder}
  printf '%s\n' "$$" >"${JOB_DIR}/pid"
}

# Prints the processes of another run in a folder: the one that made it, and those of run_processes.
other_run() {
  local pid
  pid=$(cat "$1/pid" 2>/dev/null) || true # this shell's own number again, where a container starts anew
  if [[ ${pid} != "$$" ]] && grep -qsE 'head.sh|worker.sh|boot.sh|mngen' "/proc/${pid}/cmdline"; then
    printf '%s\n' "${pid}"
  fi
  run_processes "$1"
}

# Prints the processes that have a run's folder in their environment, and see the same one.
run_processes() {
  local file
  while read -r file; do
    [[ ! ${file%/*}/root$1 -ef $1 ]] || printf '%s\n' "${file//[!0-9]/}"
  done < <(grep -lsxz "RAY_TMPDIR=$1" /proc/[0-9]*/environ)
}
