# Ray's object store and NCCL live in /dev/shm; a small or full one shows up hours later as a hang. A tenth
# may be in use already.
check_shm() {
  local -i free
  free=$(df --output=avail -k /dev/shm | tail -n 1)
  ((free * 10 >= SHM_KIB * 9)) || fail 77 "/dev/shm has ${free} KiB free, wanted ${SHM_KIB}; node ${NODE_NAME}"
}
