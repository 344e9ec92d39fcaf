#!/bin/bash
# Installs container engines into a layer over this machine's root file system, which stays as it is. It runs in mount
# and process namespaces of its own, so that services that a package starts end with it.
#
#   layer.sh FOLDER RELABEL
#
# FOLDER gets the layer, FOLDER.base.tar the root file system of a stand-in for vendors' images; RELABEL is
# glibc_relabel.py.
set -euo pipefail
folder=$1
packages=(
  containerd runc iptables tini docker-registry apache2-utils openssl curl
  podman crun uidmap squashfs-tools squashfuse fuse-overlayfs fakeroot libcap2-bin iproute2 mmdebstrap
)

mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
cp "$2" /mnt/relabel.py
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
for each in proc dev sys; do mount --rbind "/${each}" "/mnt/root/${each}"; done
cp -L /etc/resolv.conf /etc/hosts /mnt/root/etc/ # in a container these are mounts, which the layer does not see
cp /mnt/relabel.py /mnt/root/root/
printf '#!/bin/sh\nexit 101\n' >/mnt/root/usr/sbin/policy-rc.d
chmod 755 /mnt/root/usr/sbin/policy-rc.d

inside() {
  chroot /mnt/root env DEBIAN_FRONTEND=noninteractive "$@"
}

echo "lists of packages" >&2
inside apt-get update -qq
echo "packages: ${packages[*]}" >&2
inside apt-get install -qq --yes --no-install-recommends "${packages[@]}" </dev/null >&2

# Docker with BuildKit's own frontend and Apptainer are in unstable only. Docker needs glibc 2.34 alone; Apptainer's two
# C23 symbols are renamed to what they were before.
echo "docker, apptainer" >&2
read -r mirror release < <(inside apt-get indextargets --format "\$(REPO_URI) \$(CODENAME)" \
  'Created-By: Packages' 'Origin: Debian' 'Label: Debian')
mkdir -p /mnt/root/root/new/lists/partial /mnt/root/root/new/cache/archives/partial
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} sid main" >/mnt/root/root/new/sources
newer=(
  apt-get -qq -o Dir::Etc::sourcelist=/root/new/sources -o Dir::Etc::sourceparts=- -o Dir::State::lists=/root/new/lists
  -o Dir::State::status=/dev/null -o Dir::Cache=/root/new/cache -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false
)
inside "${newer[@]}" update
inside env -C /root/new "${newer[@]}" download docker.io docker-cli docker-buildx apptainer
inside bash -c 'for each in /root/new/*.deb; do dpkg-deb -x "${each}" /; done'
inside bash -c 'python3 /root/relabel.py /usr/bin/apptainer /usr/lib/*/apptainer/bin/starter /usr/lib/*/apptainer/lib/offsetpreload.so'
inside dockerd --version >&2
inside apptainer --version >&2

# What the examples install is there already, so that apt-get has nothing to fetch; python3-dev is a name alone.
echo "a stand-in for vendors' images" >&2
mkdir -p /mnt/root/root/dev/DEBIAN
printf '%s\n' 'Package: python3-dev' 'Version: 3.99' 'Architecture: all' 'Maintainer: none <none@example.org>' \
  'Description: stands in for the headers' >/mnt/root/root/dev/DEBIAN/control
inside dpkg-deb --build --root-owner-group /root/dev /root/python3-dev.deb >&2
inside mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io \
  --include=python3,python3-pip,python3-venv,git,iproute2,libibverbs1,ibverbs-providers \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --customize-hook='copy-in /root/python3-dev.deb /root/' \
  --customize-hook='chroot "$1" dpkg --install /root/python3-dev.deb' \
  --customize-hook='rm -rf "$1"/root/*.deb "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/* "$1"/etc/apt/sources.list*' \
  "${release}" /root/base.tar "${mirror}" >&2

rm -rf "${folder}.new"
cp /mnt/root/root/base.tar "${folder}.base.tar"
rm -rf /mnt/upper/{root,tmp,var/cache,var/log,var/lib/apt} /mnt/upper/usr/{sbin/policy-rc.d,share/doc,share/man,share/locale}
cp -a /mnt/upper "${folder}.new"
mv "${folder}.new" "${folder}"
