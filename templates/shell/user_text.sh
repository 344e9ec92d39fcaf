# Runs a text of the manifest in this shell, so that its exports and its cd last. The first line that fails, itself
# or in a file or function that it calls, ends the job, and so does a last line that is false.
source_text() {
  local text=$1
  shift
  SOURCED=${text##*/}
  set +u
  trap 'text_failed "$?"' ERR
  # shellcheck source=/dev/null
  . "${text}"
  trap - ERR
  set -u
  SOURCED=''
}
text_failed() {
  local -i frame
  local place=''
  for ((frame = 1; frame < ${#BASH_SOURCE[@]}; frame++)); do
    [[ ${BASH_SOURCE[frame]} != "${text}" ]] || { place=" at line ${BASH_LINENO[frame - 1]}" && break; }
  done
  SOURCED='' && fail 78 "${text##*/} failed${place:- at its end} with status $1"
}
# "exit", and "source" of a missing file, end the whole shell and pass that trap by; "status" is the caller's.
text_ended() {
  ((status > 0 && status < 128)) || return 0
  say "ERROR: ${SOURCED} ended with status ${status}"
  status=78
}
