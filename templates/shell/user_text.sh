# Runs a text of the manifest in this shell, so that its exports and its cd last. The first failing line
# ends the job.
source_text() {
  local text_file=$1
  shift
  set +u
  trap 'text_failed "$?"' ERR
  # shellcheck source=/dev/null
  . "${text_file}"
  trap - ERR
  set -u
}

# Names the line of the text that failed, also when a file or a function that it calls did.
text_failed() {
  local -i frame=1
  until [[ ${BASH_SOURCE[frame]} == "${text_file}" ]]; do frame+=1; done
  fail 78 "${text_file##*/} failed at line ${BASH_LINENO[frame - 1]} with status $1"
}
