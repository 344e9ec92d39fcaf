#!/bin/bash
# Makes a small Debian 12: the root of every node, and the image of every container. Runs in mount and process
# namespaces of its own; the tool that makes it is installed over this machine's root file system, which stays as it is.
#
#   base.sh FOLDER
set -euo pipefail
folder=$1
source "${BASH_SOURCE[0]%/*}/layers.sh"

mkdir -p "${folder}"
over / /mnt
target=/mnt/root/media
mount --bind "${folder}" "${target}"
command -v mmdebstrap >/dev/null || {
  inside apt-get update -qq
  inside apt-get install -qq --yes --no-install-recommends mmdebstrap </dev/null >&2
}
mirror=$(inside apt-get indextargets --format "\$(REPO_URI)" 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sed 1q)
inside mmdebstrap --quiet --variant=minbase --include=python3,iproute2,procps --dpkgopt=force-unsafe-io \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/man/*' --skip=cleanup/apt/lists \
  bookworm /media/root "${mirror}" >&2
