#!/usr/bin/env bash
# The submission of verl's manual launch (docs/start/multinode.rst, option 1). The text's closing `...` stands for
# "your other options" and is left out: it is no argument.
# https://github.com/volcengine/verl/blob/main/docs/start/multinode.rst

ray job submit --address="http://127.0.0.1:8265" \
    --runtime-env=verl/trainer/runtime_env.yaml \
    --no-wait \
    -- \
    python3 -m verl.trainer.main_ppo \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=2
