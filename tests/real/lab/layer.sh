#!/bin/bash
# Installs packages into a layer over this machine's root file system, which stays as it is. It runs in mount and
# process namespaces of its own, so that services that a package starts end with it.
#
#   layer.sh FOLDER RELABEL
#
# FOLDER gets the layer, FOLDER.sif an image with Python; RELABEL is glibc_relabel.py.
set -euo pipefail
folder=$1
packages=(
  slurm-wlm slurm-wlm-basic-plugins munge iproute2 procps python3
  mmdebstrap squashfs-tools squashfuse uidmap libcap2-bin
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

# Apptainer is in unstable only. On an older C library its two C23 symbols are renamed to what they were before.
echo "apptainer" >&2
read -r mirror release < <(inside apt-get indextargets --format "\$(REPO_URI) \$(CODENAME)" \
  'Created-By: Packages' 'Origin: Debian' 'Label: Debian')
mkdir -p /mnt/root/root/new/lists/partial /mnt/root/root/new/cache/archives/partial
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} sid main" >/mnt/root/root/new/sources
newer=(
  apt-get -qq -o Dir::Etc::sourcelist=/root/new/sources -o Dir::Etc::sourceparts=- -o Dir::State::lists=/root/new/lists
  -o Dir::State::status=/dev/null -o Dir::Cache=/root/new/cache -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false
)
inside "${newer[@]}" update
inside env -C /root/new "${newer[@]}" download apptainer
inside bash -c 'dpkg-deb -x /root/new/apptainer_*.deb /'
inside bash -c 'python3 /root/relabel.py /usr/bin/apptainer /usr/lib/*/apptainer/bin/starter /usr/lib/*/apptainer/lib/offsetpreload.so'
inside apptainer --version >&2

echo "an image" >&2
inside mmdebstrap --quiet --variant=minbase --include=python3,iproute2,procps --dpkgopt=force-unsafe-io \
  "${release}" /root/image "${mirror}" >&2
inside apptainer --quiet build /root/image.sif /root/image >&2

rm -rf "${folder}.new"
cp /mnt/root/root/image.sif "${folder}.sif"
rm -rf /mnt/upper/{root,tmp,var/cache,var/log,var/lib/apt} /mnt/upper/usr/{sbin/policy-rc.d,share/doc,share/man,share/locale}
cp -a /mnt/upper "${folder}.new"
mv "${folder}.new" "${folder}"
