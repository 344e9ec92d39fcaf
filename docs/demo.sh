#!/usr/bin/env bash
# A tour of mngen with a real workload, verl's GSM8K example on Slurm; `make demo` runs it in an empty folder.
set -euo pipefail

run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

cp -r ../../golden/verl-gsm8k-slurm/{manifest.yaml,sites} .
run mngen render manifest.yaml -o out
run find out -type f
run head -n 34 out/sif/job.sbatch

printf '\n# Two more nodes: one number in the manifest, and every count follows.\n'
run sed -i.before 's/nodes: 2/nodes: 4/' manifest.yaml
run mngen diff manifest.yaml -o out --target sif || true
run mngen render manifest.yaml -o out
run mngen render manifest.yaml -o out --check

cat <<'TEXT'

Everything is in build/demo. Next:
  read       build/demo/out/README.md, the exact commands for these files
  submit     build/demo/out/sif/submit.sh, where there is a Slurm
  your own   mngen init --preset slurm-cuda -o manifest.yaml
TEXT
