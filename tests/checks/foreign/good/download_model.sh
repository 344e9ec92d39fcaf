#!/bin/sh
# Fills the shared cache before the job, without holding GPUs.
set -eu

HF_HOME="${HF_HOME:?folder that all nodes see}"
export HF_HOME

for model in Qwen/Qwen2.5-7B-Instruct intfloat/e5-base-v2; do
  hf download "${model}" --revision main >/dev/null
done
ls "${HF_HOME}/hub"
