#!/bin/bash
# PID 1 of the lab: it has PID, mount, network, UTS and IPC namespaces of its own, in which the bridge, munged,
# slurmctld and all nodes live, and it is the login node. When it ends, the kernel ends all of that.
#
#   lab-init.sh              the whole lab; its files come as a tar stream on stdin
#   lab-init.sh inside       its second half, in its own root
#   lab-init.sh NODE         one node again, in a running lab
#
# In the environment: NET (ipv4, ipv6, dual), GPUS of each node, ROOTS (folders that make up the root, with colons, the
# topmost first), IMAGE (the same small Debian as a SIF, and in the stores of docker and podman: IMAGE.sif and so on),
# RAYS (a folder with environments that have Ray), ENGINE (docker or podman, where nodes need one), DATA (not empty
# where they have a second network).
set -eu
lab=/srv/lab

# A node has a network, processes, a host name and mounts of its own.
start_node() {
  local name=$1 dir=${lab}/nodes/$1 address index pid
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
  printf -v address '02:77:00:00:%02x:%02x' "$((index >> 8))" "$((index & 255))"
  ip link add "veth${index}" type veth peer name eth0 address "${address}" netns "${pid}"
  ip link set "veth${index}" master br0 up
  if [[ -n ${DATA-} ]]; then
    ip link add "data${index}" type veth peer name eth1 netns "${pid}"
    ip link set "data${index}" master br1 up
  fi
  : >"${dir}/links"
}

# The login node, from here on in the lab's own root.
login() {
  umount --lazy /mnt
  cp -r --preserve=ownership,mode "${lab}"/etc/. /etc/
  mkdir -p /run/munge
  chown munge:munge /run/munge
  for ((gpu = 0; gpu < GPUS; gpu++)); do
    # Slurm wants character devices; any will do, so these are more of /dev/null.
    mknod -m 666 "/dev/nvidia${gpu}" c 1 3
  done
  # What a node with AMD's and NVIDIA's drivers has.
  mkdir -p /dev/dri /dev/infiniband
  mknod -m 666 /dev/kfd c 1 3
  mknod -m 666 /dev/dri/renderD128 c 1 3
  mknod -m 666 /dev/infiniband/uverbs0 c 1 3
  mknod -m 666 /dev/cxi0 c 1 3 # of HPE Slingshot
  mknod -m 666 /dev/fuse c 10 229 # Apptainer mounts images with it
  mkdir -p /dev/net /local
  # Docker's --gpus calls NVIDIA's hook, which would bring in devices and libraries.
  printf '#!/bin/sh\ncat >/dev/null\n' >/usr/local/bin/nvidia-container-runtime-hook
  chmod 755 /usr/local/bin/nvidia-container-runtime-hook "${lab}/bin/nvidia-smi"
  mknod -m 666 /dev/net/tun c 10 200
  hostname login

  # Without duplicate address detection addresses can be used at once.
  for name in default all; do
    echo 0 >"/proc/sys/net/ipv6/conf/${name}/accept_dad"
    [[ ${NET} != ipv4 ]] || echo 1 >"/proc/sys/net/ipv6/conf/${name}/disable_ipv6"
  done
  ip -batch "${lab}/ip.batch"
  [[ -z ${DATA-} ]] || ip link add br1 up type bridge forward_delay 0 mcast_snooping 0
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
}

if [[ ${1-} == inside ]]; then
  login
elif (($# > 0)); then
  start_node "$1"
  exit
fi

# /proc is still the one outside, so this is the number by which the lab can be entered.
read -r pid _ </proc/self/stat
echo "pid ${pid}"

# What is written to the root lands in memory.
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir -m 755 /mnt/work /mnt/root /mnt/upper
mount -t overlay overlay -o "lowerdir=${ROOTS},upperdir=/mnt/upper,workdir=/mnt/work" /mnt/root
mount -t tmpfs -o mode=755 tmpfs /mnt/root/dev
cp -a /dev/{null,zero,full,random,urandom,tty} /mnt/root/dev/
mkdir /mnt/root/dev/{pts,shm}
mount -t devpts -o newinstance,ptmxmode=0666 devpts /mnt/root/dev/pts
ln -s pts/ptmx /mnt/root/dev/ptmx
ln -s /proc/self/fd /mnt/root/dev/fd
mount --rbind /sys /mnt/root/sys
mount -t proc proc /mnt/root/proc
mount -t tmpfs -o mode=755 tmpfs /mnt/root/srv
for path in /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs "/mnt/root${path}"; done
mount -t tmpfs -o mode=755 tmpfs /mnt/root/run
mkdir "/mnt/root${lab}"
tar --extract --numeric-owner --file=- --directory="/mnt/root${lab}"
mount --bind "${RAYS}" "/mnt/root${lab}/ray"
: >"/mnt/root${lab}/image.sif"
mount --bind "${IMAGE}.sif" "/mnt/root${lab}/image.sif"
mkdir "/mnt/root${lab}/image"
mount --bind -o ro "${ROOTS##*:}" "/mnt/root${lab}/image" # the same, unpacked
mkdir "/mnt/root${lab}/podman"
mount --bind -o ro "${IMAGE}.podman" "/mnt/root${lab}/podman"
# Docker writes to its store: one copy in memory, whose files the nodes share.
[[ ${ENGINE} != docker ]] || cp -a "${IMAGE}.docker" "/mnt/root${lab}/docker"
cd /mnt/root
pivot_root . mnt
exec bash "${lab}/lab-init.sh" inside
