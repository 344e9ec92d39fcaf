# Takes the first of $2 blocks of 32 ports, from block $1 on, that no other job has locked and where nothing listens.
# All are below 32768, where the kernel starts to hand out ports itself.
take_ports() {
  local -i try first lock
  for ((try = $1; try < $1 + $2; try++)); do
    PORT_BLOCK=$((try % 256)) first=$((10240 + 32 * (try % 256)))
    local folder=/tmp/mngen-ports-${PORT_BLOCK}
    { (umask 022 && mkdir -p "${folder}") && exec {lock}<"${folder}"; } || continue
    # The job before may have removed the folder between our open and our lock.
    flock --nonblock "${lock}" && [[ /dev/fd/${lock} -ef ${folder} ]] && PORT_LOCK=${folder} \
      && [[ -z $(ss -Hltn "sport >= :${first} and sport <= :$((first + 31))") ]] && return 0
    PORT_LOCK='' && exec {lock}<&-
  done
  fail 77 "ports ${first} to $((first + 31)) are taken here"
}
