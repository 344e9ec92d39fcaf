#!/usr/bin/env bash
# Submits the training to a running cluster and ends with its status.
set -euo pipefail

: "${RAY_ADDRESS:?the dashboard, http://host:8265}"
: "${RAY_AUTH_TOKEN:?the cluster\'s token}"
export RAY_ADDRESS RAY_AUTH_MODE=token

id="ppo-$(date +%Y%m%d-%H%M%S)"
ray job submit --submission-id "${id}" --runtime-env runtime_env.yaml -- \
  python3 -m verl.trainer.main_ppo \
  data.train_files="['/data/gsm8k/train.parquet']" \
  actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
  trainer.experiment_name="${id}" \
  "$@"
