# Makes this machine's folder for the run. A run that was killed may have left one; a run that is at work
# keeps its own.
take_folder() {
  if grep -qsE 'head.sh|worker.sh|boot.sh|mngen' "/proc/$(cat "${JOB_DIR}/pid" 2>/dev/null)/cmdline"; then
    trap - EXIT
    fail 78 "another run is at work in ${JOB_DIR} on this machine"
  fi
  rm -rf -- "${JOB_DIR}"
  mkdir -m 700 "${JOB_DIR}"
  printf '%s\n' "$$" >"${JOB_DIR}/pid"
}
