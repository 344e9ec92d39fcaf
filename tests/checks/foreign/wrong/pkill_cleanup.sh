#!/bin/bash
set -e
pkill -9 -f raylet
ray stop --force
rm -rf /tmp/ray
ray start --head --dashboard-host=0.0.0.0 --num-gpus=8
python3 train.py 2>&1 | tee train.log
echo "finished"
