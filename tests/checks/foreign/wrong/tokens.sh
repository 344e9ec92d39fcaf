#!/bin/bash
set -euo pipefail
export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345
wandb login $WANDB_API_KEY
git clone https://bot:ghp_0123456789abcdefghij@github.com/acme/private
docker run -e WANDB_API_KEY=$WANDB_API_KEY --rm trainer:latest train
env | sort
