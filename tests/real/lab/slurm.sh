#!/bin/bash
# Installs a Debian suite's Slurm into a layer.
#
#   slurm.sh FOLDER LOWER SUITE
set -euo pipefail
folder=$1 lower=$2 suite=$3
source "${BASH_SOURCE[0]%/*}/layers.sh"
packages=(slurm-wlm slurm-wlm-basic-plugins)

over "${lower}" /mnt
read -r mirror < <(inside apt-get indextargets --format "\$(REPO_URI)" 'Created-By: Packages' | sed 1q)
echo "deb ${mirror} ${suite} main" >/mnt/root/etc/apt/sources.list.d/suite.list
# Unstable moves files between packages, which only a whole upgrade resolves.
apt=(apt-get -qq -o Acquire::Check-Valid-Until=false -o Dpkg::Options::=--force-overwrite)
inside "${apt[@]}" update
# An older suite's has to be asked for by version, for each package of it.
wanted=() names=(slurm-wlm slurm-wlm-basic-plugins slurmd slurmctld slurm-client)
version=$(inside apt-cache madison slurm-wlm | awk -F ' *[|] *' -v suite="${suite}/" 'index($3, suite) {print $2; exit}')
for name in "${names[@]}"; do wanted+=("${name}=${version}"); done
inside "${apt[@]}" --yes --no-install-recommends -t "${suite}" install "${wanted[@]}" munge </dev/null >&2
inside slurmctld -V
keep "${folder}"
