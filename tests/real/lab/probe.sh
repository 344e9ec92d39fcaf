#!/bin/bash
# Tries what the labs need of the kernel, in namespaces of its own that end with it. Its last line says what is refused.
set -euo pipefail

try() { # WHAT COMMAND...
  local said
  said=$("${@:2}" 2>&1) || {
    echo "$1 (${said##*$'\n'})" >&2
    exit 1
  }
}

# Docker puts containers below two controllers of the machine and bounds them there.
cgroups() {
  local -i old=0
  if [[ -e /proc/cgroups ]] && grep -q ':[a-z].*:' /proc/self/cgroup; then old=1; fi
  for controller in memory cpuset; do
    if ((old)); then
      mount -t cgroup -o "${controller}" cgroup /mnt/cgroup
    else
      mount -t cgroup2 cgroup2 /mnt/cgroup
      grep -qw "${controller}" /mnt/cgroup/cgroup.controllers || { echo "no ${controller}" && return 1; }
    fi
    mkdir "/mnt/cgroup/mngen-probe-$$"
    rmdir "/mnt/cgroup/mngen-probe-$$"
    umount /mnt/cgroup
  done
}

try "a tmpfs" mount -t tmpfs tmpfs /mnt
mkdir /mnt/{lower,upper,work,root,cgroup}
try "an overlay" mount -t overlay overlay -o lowerdir=/mnt/lower,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
try "device files" mknod -m 666 /mnt/null c 1 3
try "opening device files" dd if=/mnt/null
try "FUSE" mknod -m 666 /mnt/fuse c 10 229
try "FUSE" bash -c 'exec 3<>/mnt/fuse'
try "namespaces within namespaces" unshare --fork --pid --mount --net --uts --ipc true
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
try "user namespaces for everybody" "${nobody[@]}" unshare --user --map-root-user --mount true
[[ -z $(type -P ip) ]] || try "network links" ip link add probe0 type veth peer name probe1
try "cgroups with memory and cpuset" cgroups
