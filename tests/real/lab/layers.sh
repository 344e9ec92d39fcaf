# shellcheck shell=bash
# What the scripts have in common that install packages over something, for `source`. A layer is the upper folder of
# an overlay: what was written over the layers below it.

# over LOWER FOLDER: mounts FOLDER/root, writable, over LOWER (one folder, or several with colons, the topmost first);
# what is written there lands in memory, at FOLDER/upper.
over() {
  mount -t tmpfs -o mode=755 tmpfs "$2"
  mkdir "$2"/upper "$2"/work "$2"/root
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
  for each in proc dev sys; do mount --rbind "/${each}" "$2/root/${each}"; done
  cp -L /etc/resolv.conf /etc/hosts "$2/root/etc/" # in a container these are mounts, which no layer sees
  # A mirror may be busy for a moment; one that does not answer is to be told from one that is slow.
  printf 'Acquire::Retries "3";\nAcquire::http::Timeout "30";\n' >"$2/root/etc/apt/apt.conf.d/99mirror"
  # Packages start no daemons.
  printf '#!/bin/sh\nexit 101\n' >"$2/root/usr/sbin/policy-rc.d"
  chmod 755 "$2/root/usr/sbin/policy-rc.d"
}

# Runs a command in that root.
inside() {
  chroot /mnt/root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}

# keep FOLDER: what was written becomes a layer there.
keep() {
  rm -rf /mnt/upper/{root,tmp,run,etc/hosts,etc/resolv.conf,etc/apt/sources.list.d/suite.list,etc/apt/apt.conf.d/99mirror,var/cache,var/log}
  rm -rf /mnt/upper/usr/{sbin/policy-rc.d,share/doc,share/man,share/locale}
  cp -a /mnt/upper "$1"
}
