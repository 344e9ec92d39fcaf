#!/bin/bash
# PID 1 of one node, in namespaces inside those of the lab.
#
#   node-init.sh NAME       with NET, ENGINE, CGROUP and TRACKING in the environment
set -eu
lab=/srv/lab
name=$1
dir=${lab}/nodes/${name}

# Docker wants controllers to put containers below. These are the machine's own, so whoever ends the lab removes
# CGROUP there.
mount_cgroups() {
  local -i number
  local names path
  if [[ ! -e /proc/cgroups ]] || ! grep -q ':[a-z].*:' /proc/self/cgroup; then
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    return
  fi
  while IFS=: read -r number names path; do
    [[ -n ${names} ]] || continue
    mkdir "/sys/fs/cgroup/${names#name=}"
    case ${names} in
      name=*) mount -t cgroup -o "none,${names}" cgroup "/sys/fs/cgroup/${names#name=}" ;;
      *) mount -t cgroup -o "${names}" cgroup "/sys/fs/cgroup/${names}" ;;
    esac
  done </proc/self/cgroup
}

start_docker() {
  mount_cgroups
  mkdir "${dir}/docker"
  # Layers are only read: the nodes share their files.
  cp -al "${lab}/docker/overlay2" "${dir}/docker/"
  find "${lab}/docker" -mindepth 1 -maxdepth 1 ! -name overlay2 -exec cp -a {} "${dir}/docker/" \;
  setsid dockerd --data-root "${dir}/docker" --exec-root /run/docker --pidfile /run/docker.pid --group docker \
    --bridge=none --iptables=false --ip6tables=false --cgroup-parent="${CGROUP}" </dev/null >"${dir}/docker.log" 2>&1 &
  until [[ -S /run/docker.sock ]]; do
    kill -0 $!
    sleep 0.05
  done
}

# What proctrack/cgroup of this node's slurmd sees of the controller is a group of the node's own.
mount_freezer() {
  mkdir /sys/fs/cgroup/freezer
  mount -t cgroup -o freezer cgroup /sys/fs/cgroup/freezer
  mkdir -p "/sys/fs/cgroup/freezer${CGROUP}/${name}"
  mount --bind "/sys/fs/cgroup/freezer${CGROUP}/${name}" /sys/fs/cgroup/freezer
}

read -r pid _ </proc/self/stat # as the lab sees it
echo "${pid}" >"${dir}/pid.new"
mv "${dir}/pid.new" "${dir}/pid"

hostname "${name}"
mount -t proc proc /proc
mount -t sysfs sysfs /sys # so that /sys/class/net is this node's
# slurmd does not start without a file system here; an empty one stands for cgroups without controllers.
mount -t tmpfs tmpfs /sys/fs/cgroup
mount --bind "${dir}/hosts" /etc/hosts
mount --bind "${dir}/hostname" /etc/hostname
for each in /dev/shm /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs "${each}"; done
for each in /local /media; do mount -t tmpfs -o mode=755 tmpfs "${each}"; done
mkdir /media/munge
mount --bind /run/munge /media/munge
mount --rbind /media /run

for each in default all; do
  echo 0 >"/proc/sys/net/ipv6/conf/${each}/accept_dad"
  [[ ${NET} != ipv4 ]] || echo 1 >"/proc/sys/net/ipv6/conf/${each}/disable_ipv6"
done
until [[ -e ${dir}/links ]]; do sleep 0.01; done
ip -batch "${dir}/ip.batch"

cd /
[[ -z ${TRACKING} ]] || mount_freezer
case ${ENGINE} in
  docker) start_docker ;;
  podman)
    chmod 1777 /local
    mount --make-rshared /
    ;;
esac
setsid slurmd -D -N "${name}" -c </dev/null >"${dir}/slurmd.out" 2>&1 &
# bash collects every child that ends, adopted ones too, while it waits.
while :; do
  sleep 86400 &
  wait $! || true
done
