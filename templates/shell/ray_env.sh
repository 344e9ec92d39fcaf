# Sets RAY_WITHOUT, the options by which env starts Ray without the variables whose names begin with one of
# these prefixes: MPI in a Ray worker would take them for its own launcher's.
hide_launcher_variables() {
  local prefix name
  RAY_WITHOUT=()
  for prefix in "${UNSET_PREFIXES[@]}"; do
    for name in $(compgen -e "${prefix}"); do RAY_WITHOUT+=(-u "${name}"); done
  done
}
