#!/bin/bash
RAY_ADDRESS="http://<head>:8265"
ray job submit --no-wait -- python3 train.py \
  data.train_files=$DATA/train.parquet | tee submit.log \
  trainer.resume_mode=disable
