#!/bin/bash
# PID 1 of one node, in namespaces inside those of the lab.
#
#   node-init.sh NAME       with NET in the environment
set -eu
lab=/srv/lab
name=$1
dir=${lab}/nodes/${name}

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
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=1777 tmpfs /var/tmp

for each in default all; do
  echo 0 >"/proc/sys/net/ipv6/conf/${each}/accept_dad"
  [[ ${NET} != ipv4 ]] || echo 1 >"/proc/sys/net/ipv6/conf/${each}/disable_ipv6"
done
until [[ -e ${dir}/links ]]; do sleep 0.01; done
ip -batch "${dir}/ip.batch"

cd /
setsid slurmd -D -N "${name}" -c </dev/null >"${dir}/slurmd.out" 2>&1 &
# bash collects every child that ends, adopted ones too, while it waits.
while :; do
  sleep 86400 &
  wait $! || true
done
