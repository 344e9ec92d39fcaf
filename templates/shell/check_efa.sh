# A device that is missing holds up the whole job, until NCCL gives up after minutes; better to name the node now.
check_fabric() {
  compgen -G '/dev/infiniband/uverbs*' >/dev/null || fail 77 "no /dev/infiniband/uverbs* here; node ${NODE_NAME}"
  grep -qs ' ACTIVE$' /sys/class/infiniband/*/ports/*/state || fail 77 "no EFA port is up; node ${NODE_NAME}"
}
