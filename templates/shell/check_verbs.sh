# A node without a port that is up holds up the whole job, until NCCL gives up after minutes; better to name it now.
# Of several ports it is enough that one is up.
check_fabric() {
  local port
  compgen -G '/dev/infiniband/uverbs*' >/dev/null || fail 77 "no /dev/infiniband/uverbs* here; node ${NODE_NAME}"
  for port in /sys/class/infiniband/*/ports/*; do
    grep -qs ' ACTIVE$' "${port}/state" && grep -qsx "${LINK_LAYER}" "${port}/link_layer" && return 0
  done
  fail 77 "no ${LINK_LAYER} port is up; node ${NODE_NAME}"
}
