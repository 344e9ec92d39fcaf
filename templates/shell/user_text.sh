# Runs a text of the manifest in this shell, so that its exports and its cd last. The first line that fails, itself
# or in a file or function that it calls, ends the job.
source_text() {
  local text=$1
  shift
  set +u
  trap 'text_failed "$?"' ERR
  # shellcheck source=/dev/null
  . "${text}"
  trap - ERR
  set -u
}
text_failed() {
  local -i frame=1
  until [[ ${BASH_SOURCE[frame]} == "${text}" ]]; do frame+=1; done
  fail 78 "${text##*/} failed at line ${BASH_LINENO[frame - 1]} with status $1"
}
