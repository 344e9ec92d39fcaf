#!/usr/bin/env bash
# Starts the head on this machine, in the foreground; end it with Ctrl-C.
set -euo pipefail

: "${HEAD_IP:?address of this machine that the others reach}"
: "${RAY_AUTH_TOKEN_PATH:?file with the token, mode 600}"
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH
ulimit -n 65535

exec ray start --head --block --node-ip-address="${HEAD_IP}" --port=6379 \
  --num-gpus="$(nvidia-smi --list-gpus | wc -l)" --dashboard-host=127.0.0.1
