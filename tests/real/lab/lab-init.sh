#!/bin/bash
# PID 1 of the lab: it has PID, mount, network, UTS and IPC namespaces of its own, in which the bridge, munged,
# slurmctld and all nodes live, and it is the login node. When it ends, the kernel ends all of that.
#
#   lab-init.sh              the whole lab; its files come as a tar stream on stdin
#   lab-init.sh NODE         one node again, in a running lab
#
# In the environment: NET (ipv4, ipv6, dual), GPUS of each node, ENVIRONMENTS (a folder with Ray in it).
set -eu
lab=/srv/lab

# A node has a network, processes, a host name and mounts of its own.
start_node() {
  local name=$1 dir=${lab}/nodes/$1 index pid
  rm -f "${dir}/pid" "${dir}/links"
  setsid unshare --fork --pid --mount --net --uts --ipc --propagation private \
    bash "${lab}/node-init.sh" "${name}" </dev/null >"${dir}/init.log" 2>&1 &
  until [[ -e ${dir}/pid ]]; do
    kill -0 $! || {
      echo "node ${name} did not start"
      cat "${dir}/init.log"
      return 1
    }
    sleep 0.01
  done
  pid=$(<"${dir}/pid") index=$(<"${dir}/index")
  ip link add "veth${index}" type veth peer name eth0 netns "${pid}"
  ip link set "veth${index}" master br0 up
  : >"${dir}/links"
}

if (($# > 0)); then
  start_node "$1"
  exit
fi

# /proc is still the one outside, so this is the number by which the lab can be entered.
read -r pid _ </proc/self/stat
echo "pid ${pid}"

mount -t tmpfs -o mode=755 tmpfs /srv
mkdir "${lab}"
tar --extract --same-owner --file=- --directory="${lab}"
for ((gpu = 0; gpu < GPUS; gpu++)); do
  # Slurm wants character devices; any will do, so these are more of /dev/null.
  mknod -m 666 "${lab}/gpu/fake${gpu}" c 1 3
done
mount --bind "${ENVIRONMENTS}" "${lab}/ray"

mount -t tmpfs -o mode=1777 tmpfs /tmp
hostname login
mount -t proc proc /proc
mount --bind "${lab}/etc/slurm" /etc/slurm
for file in hosts passwd group resolv.conf; do
  mount --bind "${lab}/etc/${file}" "/etc/${file}"
done
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/munge
chown munge:munge /run/munge

# Without duplicate address detection addresses can be used at once.
for name in default all; do
  echo 0 >"/proc/sys/net/ipv6/conf/${name}/accept_dad"
  [[ ${NET} != ipv4 ]] || echo 1 >"/proc/sys/net/ipv6/conf/${name}/disable_ipv6"
done
ip -batch "${lab}/ip.batch"
# The nodes' default route ends here: what goes to the world outside is refused at once.
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding

setpriv --reuid=munge --regid=munge --clear-groups \
  munged --key-file="${lab}/etc/munge/munge.key" --num-threads=2 --log-file="${lab}/munge/munged.log" \
  --pid-file="${lab}/munge/munged.pid" --seed-file="${lab}/munge/munged.seed"
setsid slurmctld -D -c </dev/null >"${lab}/log/slurmctld.out" 2>&1 &
while read -r name; do start_node "${name}"; done <"${lab}/names"
until scontrol ping >/dev/null 2>&1; do sleep 0.1; done
echo ready
exec >"${lab}/log/lab.log" 2>&1

# From now on this only reaps: bash collects every child that ends, adopted ones too, while it waits.
while :; do
  sleep 86400 &
  wait $! || true
done
