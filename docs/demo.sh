#!/usr/bin/env bash
# A tour of mngen in an empty folder; `make demo` runs it.
set -euo pipefail

run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

run mngen init --preset slurm-cuda --name demo -o manifest.yaml
run mngen render manifest.yaml -o out
run find out -type f
run head -n 40 out/cluster/job.sbatch

printf '\n# Two more nodes: one number in the manifest, and every count follows.\n'
run sed -i.before 's/nodes: 2/nodes: 4/' manifest.yaml
run mngen diff manifest.yaml -o out || true
run mngen render manifest.yaml -o out
run mngen render manifest.yaml -o out --check
printf '\nEverything is in build/demo; submit it with out/cluster/submit.sh where there is a Slurm.\n'
