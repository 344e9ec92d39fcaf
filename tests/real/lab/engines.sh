#!/bin/bash
# Installs container engines into a layer, and the base into each engine's own store as an image.
#
#   engines.sh FOLDER BASE RELABEL OWNER IMAGE...
#
# Beside FOLDER, the layer, it makes FOLDER.sif, FOLDER.docker and FOLDER.podman; IMAGE are the names that the last two
# know the base by. RELABEL is glibc_relabel.py; OWNER is the number of the user who has Podman.
set -euo pipefail
folder=$1 base=$2 relabel=$3 owner=$4
images=("${@:5}")
source "${BASH_SOURCE[0]%/*}/layers.sh"
packages=(
  munge iptables containerd runc tini podman catatonit crun uidmap
  squashfs-tools squashfuse libcap2-bin docker-registry openssl
)
store=/mnt/root/mnt # a folder in memory that is no part of the layer

# newer PACKAGE...: unpacks what only unstable has, as it is.
newer() {
  local apt=(
    apt-get -qq -o Dir::Etc::sourcelist=/mnt/new/sources -o Dir::Etc::sourceparts=- -o Dir::State::lists=/mnt/new/lists
    -o Dir::State::status=/dev/null -o Dir::Cache=/mnt/new/cache -o APT::Sandbox::User=root
    -o Acquire::Check-Valid-Until=false
  )
  mkdir -p "${store}"/new/{lists/partial,cache/archives/partial}
  echo "deb ${mirror} sid main" >"${store}/new/sources"
  inside "${apt[@]}" update
  inside env -C /mnt/new "${apt[@]}" download "$@"
  inside bash -c 'for each in /mnt/new/*.deb; do dpkg-deb -x "${each}" /; done'
}

# Waits for something that another process makes.
until_exists() {
  local -i try
  for ((try = 0; try < 300; try++)); do
    [[ ! -e $1 ]] || return 0
    sleep 0.1
  done
  echo "not there after 30 s: $1" >&2
  return 1
}

over "${base}" /mnt
mount -t tmpfs tmpfs "${store}"
mirror=$(inside apt-get indextargets --format "\$(REPO_URI)" 'Created-By: Packages' | sed 1q)
inside apt-get update -qq
inside apt-get install -qq --yes --no-install-recommends "${packages[@]}" </dev/null >&2
newer apptainer docker.io docker-cli
cp "${relabel}" "${store}/relabel.py"
inside bash -c 'python3 /mnt/relabel.py /usr/bin/apptainer /usr/lib/*/apptainer/bin/starter /usr/lib/*/apptainer/lib/offsetpreload.so'
rm -rf "${store}/new"

mkdir "${store}/image"
mount --bind "${base}" "${store}/image"
inside apptainer --quiet build /mnt/image.sif /mnt/image >&2
cp "${store}/image.sif" "${folder}.sif"
rm "${store}/image.sif"

inside dockerd --data-root /mnt/docker --exec-root /mnt/run --pidfile /mnt/docker.pid -H unix:///mnt/docker.sock \
  --bridge=none --iptables=false --ip6tables=false >"${store}/docker.log" 2>&1 &
until_exists "${store}/docker.sock" || { cat "${store}/docker.log" >&2 && exit 1; }
docker=(docker -H unix:///mnt/docker.sock)
podman=(podman --root /mnt/podman --runroot /mnt/podman.run --storage-driver overlay)
tar -C "${base}" -cf "${store}/image.tar" .
inside "${docker[@]}" import /mnt/image.tar "${images[0]}" >&2
inside "${podman[@]}" import /mnt/image.tar "${images[0]}" >&2
for name in "${images[@]:1}"; do
  inside "${docker[@]}" tag "${images[0]}" "${name}"
  inside "${podman[@]}" tag "${images[0]}" "${name}"
done
kill "$(<"${store}/docker.pid")"
wait
umount "${store}/podman/overlay" 2>/dev/null || true
# An ordinary user's Podman takes only files of that user for files of a container's root.
chown -R "${owner}:${owner}" "${store}/podman"
for each in docker podman; do
  cp -a "${store}/${each}" "${folder}.${each}"
done
umount "${store}/image" "${store}"
keep "${folder}"
