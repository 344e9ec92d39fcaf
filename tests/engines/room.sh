#!/bin/bash
# PID 1 of a room: it has PID, mount, network, UTS and IPC namespaces of its own, and container engines in them. Its
# network is a loopback device, so nothing in it reaches the world. When it ends, the kernel ends all of that.
#
#   room.sh          the room
#   room.sh inside   its second half, in its own root
#
# In the environment: LAYER (a folder of packages, with the root file system of a stand-in beside it), ROOT (the
# checkout, which the room sees read-only).
set -eu
room=/srv/room
address=10.77.0.1 # not in 127.0.0.0/8, where Docker does not look at certificates

registry() { # NAME ADDRESS:PORT OPTION...
  local at=$2
  local dir=${room}/$1
  shift 2
  mkdir -p "${dir}"
  {
    printf 'version: 0.1\nlog: {level: warn}\n'
    printf 'storage: {filesystem: {rootdirectory: %s/data}, delete: {enabled: true}}\n' "${dir}"
    printf 'http:\n  addr: %s\n' "${at}"
    [[ " $* " != *' tls '* ]] || printf '  tls: {certificate: %s/ca.crt, key: %s/key.pem}\n' "${room}" "${room}"
    [[ " $* " != *' auth '* ]] || printf 'auth:\n  htpasswd: {realm: room, path: %s/htpasswd}\n' "${room}"
  } >"${dir}/config.yml"
  docker-registry serve "${dir}/config.yml" >"${dir}/log" 2>&1 </dev/null &
}

inside() {
  umount --lazy /mnt
  ip link set lo up
  ip address add "${address}/32" dev lo
  hostname room
  printf '127.0.0.1 localhost room\n' >/etc/hosts
  : >/etc/resolv.conf
  mknod -m 666 /dev/fuse c 10 229 2>/dev/null || true

  # Whom Apptainer is run by, with the range of ids that a user of a cluster has.
  printf 'alice:x:61001:61001::%s/alice:/bin/bash\n' "${room}" >>/etc/passwd
  printf 'alice:x:61001:\n' >>/etc/group
  for each in /etc/subuid /etc/subgid; do echo alice:200000:65536 >>"${each}"; done
  install --directory --owner=61001 --group=61001 "${room}/alice"

  # The interpreter may lie in root's home; this root's folders are the room's own.
  path=$(dirname "$(readlink --canonicalize "${ROOT}/.venv/bin/python")")
  while [[ ${path} != / ]]; do
    chmod a+x "${path}"
    path=$(dirname "${path}")
  done

  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=${address}" \
    -addext "subjectAltName=IP:${address}" -keyout "${room}/key.pem" -out "${room}/ca.crt" 2>/dev/null
  htpasswd -Bbn ci s3cret-of-ci >"${room}/htpasswd"
  registry plain 127.0.0.1:5000
  registry locked "${address}:5443" tls auth
  registry unknown "${address}:5444" tls
  mkdir -p "/etc/docker/certs.d/${address}:5443"
  cp "${room}/ca.crt" "/etc/docker/certs.d/${address}:5443/"

  # Podman asks for limits that root may not be allowed to raise, and crun for one version of cgroups.
  {
    printf '[containers]\ndefault_ulimits = ["nofile=%s:%s", "nproc=%s:%s"]\nnetns = "host"\n' \
      "$(ulimit -Hn)" "$(ulimit -Hn)" "$(ulimit -Hu)" "$(ulimit -Hu)"
    printf '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "runc"\n'
  } >"${room}/containers.conf"
  {
    printf 'unqualified-search-registries = ["docker.io"]\n'
    printf '[[registry]]\nprefix = "docker.io"\nlocation = "127.0.0.1:5000"\ninsecure = true\n'
    printf '[[registry]]\nlocation = "127.0.0.1:5000"\ninsecure = true\n'
    printf '[[registry]]\nlocation = "127.0.0.1:5010"\ninsecure = true\n'
  } >"${room}/registries.conf"

  dockerd --data-root "${room}/docker" --exec-root /run/docker --pidfile /run/docker.pid -H unix:///run/docker.sock \
    --iptables=false --ip6tables=false --registry-mirror http://127.0.0.1:5000 >"${room}/dockerd.log" 2>&1 </dev/null &
  until curl --silent --fail --output /dev/null --unix-socket /run/docker.sock http://engine/_ping; do
    kill -0 $! || {
      tail -20 "${room}/dockerd.log"
      exit 1
    }
    sleep 0.1
  done
  CONTAINERS_CONF=${room}/containers.conf CONTAINERS_REGISTRIES_CONF=${room}/registries.conf \
    podman system service --time 0 unix:///run/podman.sock >"${room}/podman.log" 2>&1 </dev/null &
  for port in 127.0.0.1/5000 "${address}/5443" "${address}/5444"; do
    until (: <"/dev/tcp/${port}") 2>/dev/null; do sleep 0.1; done
  done
  echo ready
  exec >"${room}/log" 2>&1

  # From now on this only reaps: bash collects every child that ends, adopted ones too, while it waits.
  while :; do
    sleep 86400 &
    wait $! || true
  done
}

if [[ ${1-} == inside ]]; then
  inside
fi

# /proc is still the one outside, so this is the number by which the room can be entered.
read -r pid _ </proc/self/stat
echo "pid ${pid}"

mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir -m 755 /mnt/work /mnt/root
cp -a "${LAYER}" /mnt/upper
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount -t tmpfs -o mode=755 tmpfs /mnt/root/dev
cp -a /dev/{null,zero,full,random,urandom,tty} /mnt/root/dev/
mkdir /mnt/root/dev/{pts,shm}
mount -t devpts -o newinstance,ptmxmode=0666 devpts /mnt/root/dev/pts
mount -t tmpfs -o mode=1777 tmpfs /mnt/root/dev/shm
ln -s pts/ptmx /mnt/root/dev/ptmx
ln -s /proc/self/fd /mnt/root/dev/fd
for each in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${each%:*}" "/mnt/root/dev/${each#*:}"; done
mount --rbind /sys /mnt/root/sys
mount -t proc proc /mnt/root/proc
for path in /srv /run /var/lib/containers; do
  mkdir -p "/mnt/root${path}"
  mount -t tmpfs -o mode=755 tmpfs "/mnt/root${path}"
done
for path in /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs "/mnt/root${path}"; done
mkdir -p "/mnt/root${room}" "/mnt/root${ROOT}"
mount --bind "${ROOT}" "/mnt/root${ROOT}"
mount -o remount,bind,ro "/mnt/root${ROOT}"
: >"/mnt/root${room}/base.tar"
mount --bind "${LAYER}.base.tar" "/mnt/root${room}/base.tar"
cd /mnt/root
pivot_root . mnt
exec bash "${ROOT}/tests/engines/room.sh" inside
