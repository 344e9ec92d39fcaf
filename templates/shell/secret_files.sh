# Exports a secret from a file on this node, so that its value is never on a command line.
read_secret() {
  local name=$1 file=$2
  [[ -r ${file} ]] || fail 78 "cannot read the file of secret ${name}: ${file}"
  export "${name}=$(<"${file}")"
  [[ -n ${!name} ]] || fail 78 "the file of secret ${name} is empty: ${file}"
  [[ ${file} != "${JOB_DIR}"/* ]] || rm -f -- "${file}" || true # a copy; the end of a job may be cut short
}
