#!/bin/bash
set -euo pipefail
ray start --head --num-gpus=8 --block &
until ray status; do
  sleep 2
done
for i in $(seq 60); do
  n=$(ray status | grep -c node_ || echo 0)
  [ "$n" -ge 4 ] && break
  sleep 5
done
python3 train.py trainer.logger=['console','wandb'] trainer.nnodes=4 \
  trainer.nnodes=2
