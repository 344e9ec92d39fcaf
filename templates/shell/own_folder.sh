# Makes this machine's folder for the run. A run that was killed may have left one; a run that is at work, or what one
# that was killed has left running, keeps its own.
take_folder() {
  local pid others
  others=$(run_processes)
  pid=$(cat "${JOB_DIR}/pid" 2>/dev/null) || true # this shell's own number again, where a container starts anew
  if [[ ${pid} != "$$" ]] && grep -qsE 'head.sh|worker.sh|boot.sh|mngen' "/proc/${pid}/cmdline"; then
    others="${pid} ${others}"
  fi
  if [[ -n ${others} ]]; then
    trap - EXIT
    fail 78 "another run is at work in ${JOB_DIR} on this machine, or has left processes:" "${others//$'\n'/ }"
  fi
  rm -rf -- "${JOB_DIR}"
  mkdir -m 700 "${JOB_DIR}" || fail 78 "${JOB_DIR} cannot be made"
  printf '%s\n' "$$" >"${JOB_DIR}/pid"
}

# Prints the processes that have this run's folder in their environment, and see the same one.
run_processes() {
  local file
  while read -r file; do
    [[ ! ${file%/*}/root${JOB_DIR} -ef ${JOB_DIR} ]] || printf '%s\n' "${file//[!0-9]/}"
  done < <(grep -lsxz "RAY_TMPDIR=${JOB_DIR}" /proc/[0-9]*/environ)
}
