# Runs a command without the variables whose names begin with one of these: MPI in a Ray worker would
# take them for its own launcher's.
without_launcher_variables() {
  local prefix name
  for prefix in "${UNSET_PREFIXES[@]}"; do
    for name in $(compgen -e "${prefix}"); do unset "${name}"; done
  done
  exec "$@"
}
export -f without_launcher_variables
