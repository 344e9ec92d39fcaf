# Takes one of 256 blocks of 32 ports for this job, from 10240 up, and with it one of seven ranges for
# Ray's workers, from 18432 up: all below 32768, where the kernel starts to hand out ports itself. A lock
# file keeps other jobs off the block as long as this one runs; two jobs may share a range for workers, where
# Ray takes the next port when one is busy.
claim_ports() {
  local -i try
  for ((try = 0; try < 256; try++)); do
    PORT_BLOCK=$(((JOB_ID + try) % 256))
    hold_ports && return 0
  done
  fail 75 "every block of ports is taken on this node"
}

# Succeeds when the block is this job's on this node.
hold_ports() {
  local first=$((10240 + 32 * PORT_BLOCK))
  PORT_LOCK_FILE=/tmp/mngen-ports-${PORT_BLOCK}.lock
  [[ -e ${PORT_LOCK_FILE} ]] || (umask 022 && : >"${PORT_LOCK_FILE}") 2>/dev/null || true
  [[ -f ${PORT_LOCK_FILE} ]] && { exec {PORT_LOCK}<"${PORT_LOCK_FILE}"; } 2>/dev/null || return 1
  # The one before may have removed the file between our open and our lock.
  flock --nonblock "${PORT_LOCK}" && [[ /dev/fd/${PORT_LOCK} -ef ${PORT_LOCK_FILE} ]] \
    && [[ -z $(ss -Hltn "sport >= :${first} and sport <= :$((first + 31))" 2>/dev/null) ]] && return 0
  exec {PORT_LOCK}<&-
  PORT_LOCK=''
  return 1
}

release_ports() {
  [[ -z ${PORT_LOCK:-} ]] || rm -f -- "${PORT_LOCK_FILE}"
}
