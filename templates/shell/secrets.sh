# Stops before anything starts when a secret is not set in the submitting shell. Only names are shown.
require_secrets() {
  local name
  local -a missing=()
  for name in "${SECRETS[@]}"; do
    [[ -n ${!name:-} ]] || missing+=("${name}")
  done
  ((${#missing[@]} == 0)) || fail 78 "not set in the submitting shell: ${missing[*]}"
}
