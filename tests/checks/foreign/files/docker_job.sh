#!/bin/bash
#SBATCH --job-name=ppo
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --mem=200G
#SBATCH --time=30-00:00:00
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=28
#SBATCH --output=../logs/slurm-%j.out
#SBATCH --error=../logs/slurm-%j.err
#SBATCH --nodelist=gpu-[0,1]

# The defects of a well-known docker job for AMD GPUs, in few words.
CONTAINER_NAME="training"
IMG="verl.rocm"
DOCKERFILE="docker/Dockerfile.rocm"
workdir="${HOME}/work"

export NCCL_DEBUG=TRACE
export NCCL_CHECKS_DISABLE=1
export NCCL_IB_HCA=mlx5_0,mlx5_1
export HIP_VISIBLE_DEVICES=0,1,2,3,4,5,6,7
export ROCR_VISIBLE_DEVICES=$HIP_VISIBLE_DEVICES
export CUDA_VISIBLE_DEVICES=$HIP_VISIBLE_DEVICES

srun bash -c "
    set -e
    docker image prune -f
    docker pull docker.io/rocm/vllm:some_tag
    if ! docker images --format "{{.Repository}}:{{.Tag}}" | grep -q "${IMG}"; then
        docker build -f \"${DOCKERFILE}\" -t \"${IMG}\" .
    fi
    docker rm \"${CONTAINER_NAME}\" 2>/dev/null || true
    ibdev2netdev
    docker run --rm -d \
    -e HIP_VISIBLE_DEVICES=${HIP_VISIBLE_DEVICES} \
    -e ROCR_VISIBLE_DEVICES=${ROCR_VISIBLE_DEVICES} \
    --network host \
    --device /dev/dri \
    --device /dev/kfd \
    --privileged \
    -v \${HOME}:\${HOME} \
    -v \${HOME}/.ssh:/root/.ssh \
    -w "${workdir}" \
    --shm-size 128G \
    --name \"${CONTAINER_NAME}\" \
    \"${IMG}\" \
    tail -f /dev/null
"

nodes_array=($(scontrol show hostnames "$SLURM_JOB_NODELIST" | tr '\n' ' '))
head_node=${nodes_array[0]}
head_node_ip=$(srun --nodes=1 --ntasks=1 -w "$head_node" hostname --ip-address)
if [[ "$head_node_ip" == *" "* ]]; then
    IFS=' ' read -ra ADDR <<<"$head_node_ip"
if [[ ${#ADDR[0]} -gt 16 ]]; then
    head_node_ip=${ADDR[1]}
else
    head_node_ip=${ADDR[0]}
fi
fi

port=6379
ip_head=$head_node_ip:$port
export ip_head
printenv

srun --nodes=1 --ntasks=1 -w "$head_node" \
    docker exec "${CONTAINER_NAME}" \
    ray start --head --node-ip-address="$head_node_ip" --port=$port \
    --dashboard-port=8266 \
    --num-cpus "${SLURM_CPUS_PER_TASK}" --num-gpus "${SLURM_GPUS_PER_NODE}" --block &
sleep 10

worker_num=$((SLURM_JOB_NUM_NODES - 1))
for ((i = 1; i <= worker_num; i++)); do
    node_i=${nodes_array[$i]}
    if [ -z "$node_i" ]; then
        echo "Error: Empty node name for worker $i"
        continue
    fi
    srun --nodes=1 --ntasks=1 -w "$node_i" \
        docker exec "${CONTAINER_NAME}" \
        ray start --address "$ip_head" --num-cpus "${SLURM_CPUS_PER_TASK}" --num-gpus "${SLURM_GPUS_PER_NODE}" --block &
    sleep 5
done

docker exec "${CONTAINER_NAME}" python3 -c '
import ray
try:
    ray.init(address="auto")
    print(len(ray.nodes()))
except Exception as e:
    print(f"failed: {e}")
'

docker exec "${CONTAINER_NAME}" python3 prepare.py --local_save_dir ../data
docker exec "${CONTAINER_NAME}" \
    python3 -c "import transformers; transformers.pipeline('text-generation', model='Qwen/Qwen2-7B-Instruct')"
MODEL_PATH="Qwen/Qwen2-7B-Instruct"
MODEL_PATH="Qwen/Qwen2.5-0.5B-Instruct"

PYTHONUNBUFFERED=1 srun --overlap --nodes=${SLURM_NNODES} --ntasks=1 -w "$head_node" \
    docker exec "${CONTAINER_NAME}" \
    python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.model.path=$MODEL_PATH \
    actor_rollout_ref.model.enable_gradient_checkpointing=False \
    actor_rollout_ref.model.enable_gradient_checkpointing=True \
    trainer.logger='["console","wandb"]' \
    trainer.n_gpus_per_node=${SLURM_GPUS_PER_NODE} \
    trainer.nnodes=${SLURM_NNODES}
