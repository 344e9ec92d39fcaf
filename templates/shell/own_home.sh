# A home that nothing can be written to gives way to one of the job's, for the caches of Triton and vLLM. What is mounted
# below it is found there as well.
replace_home() {
  local old=${HOME:-} place
  export HOME=${JOB_DIR}/home
  mkdir -p "${HOME}"
  for place in "$@"; do
    [[ -n ${old} && ${place} == "${old}"/* ]] || continue
    place=${place#"${old}/"}
    mkdir -p "${HOME}/${place%"${place##*/}"}"
    ln -s "${old}/${place}" "${HOME}/${place}"
  done
}
