# Runs the manifest's setup in this shell, so that its exports and its cd last. The first failing line
# ends the job, by its line in the manifest.
source_text() {
  local file=$1
  local -i status=0
  set +u
  trap 'status=$?; say "${file##*/} failed at line ${LINENO} with status ${status}"; exit 78' ERR
  # shellcheck source=/dev/null
  . "${file}"
  trap - ERR
  set -u
}
