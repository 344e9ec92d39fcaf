# The defects of two well-known submissions, in few words.
export CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7
DASHBOARD="<address>:8265"
N_NODES=2
export EXPERIMENT_NAME=${train_data}-ppo-$N_NODES

ray job submit --address=$DASHBOARD \
    --runtime-env=verl/trainer/runtime_env.yaml \
    --no-wait \
    -- \
    python3 -m verl.trainer.main_ppo \
    trainer.logger=['wandb'] \
    trainer.default_hdfs_dir=null \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=$N_NODES \
    trainer.default_hdfs_dir=null \
    2>&1 | tee $EXPERIMENT_NAME.log

RAY_ADDRESS=http://localhost:8265
ray job submit \
    -- python3 -m verl.trainer.main_ppo \
    trainer.total_epochs=15 2>&1 | tee demo.log \
    trainer.resume_mode=disable
