# Exports every variable that a file of this node sets.
read_env_file() {
  [[ -r $1 ]] || fail 78 "cannot read the env file $1"
  set -a
  source_text "$1"
  set +a
}
