# Runs a text of the manifest in this shell, so that its exports and its cd last. The first line that fails, itself
# or in a file or function that it calls, ends the job; leaving the shell by "exit" does so too.
source_text() {
  SOURCED=$1
  shift
  set +u
  trap 'text_failed "$?"' ERR
  # shellcheck source=/dev/null
  . "${SOURCED}"
  trap - ERR
  set -eu
  SOURCED=''
}
text_failed() {
  ((BASH_SUBSHELL == 0)) || return 0               # whether that matters is for the line around it to say
  [[ $1 != 14[03] ]] || read -rt 1 <> <(:) || true # told to end (USR2, TERM), and this shell is next; else it died
  for ((frame = 1; frame < ${#BASH_SOURCE[@]}; frame++)); do [[ ${BASH_SOURCE[frame]} != "${SOURCED}" ]] || break; done
  fail 78 "${SOURCED##*/} failed at line ${BASH_LINENO[frame - 1]/#0/(its end)} with status $1"
}
