# A device that is missing holds up the whole job, until NCCL gives up after minutes; better to name the node now.
check_fabric() {
  compgen -G '/dev/cxi[0-9]*' >/dev/null || fail 77 "no /dev/cxi* here; node ${NODE_NAME}"
}
