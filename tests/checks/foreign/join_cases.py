"""Who waits until all nodes have joined, who only asks the head, and where there is no driver to wait for them."""

from rule_beginnings import DSTACK, SB

STARTS = "ray start --head\nray start --address $h --block\n"
LAST = "; do ((SECONDS < 300)) || exit 1; sleep 5; done"

# each comes back when the head answers, whoever else has joined
HEAD_ALONE = (
    *(f"until ray status{more}{LAST}" for more in ("", " --address 127.0.0.1:6479", " >/dev/null 2>&1", " | cat")),
    *(f"while ! ray status{LAST}", f"until ray health-check --address $h:6379{LAST}", f"until ray list nodes{LAST}"),
    *(f"until srun bash -c 'ray status'{LAST}", f'until docker exec c bash -lc "x; ray status"{LAST}'),
    *(f"until docker exec c ray status{LAST}", f"until srun --overlap -N1 -n1 ray status{LAST}"),
    *(f"until ray status | grep -q {word}{LAST}" for word in ("ok", "node_", "'Active:'", '"Healthy"')),
    *(f'until [ -n "$(ray status)" ]{LAST}', f'until [[ -n "$(ray status | grep node_)" ]]{LAST}'),
    *("for i in $(seq 60); do\n  ray status && break\n  sleep 5\ndone", "ray status", "ray status || exit 1"),
    *("for i in {1..9}; do\n  if out=$(ray status); then echo $out; break; fi\n  sleep 5\ndone",),
    *("for i in {1..9}; do\n  if ray status; then\n    break\n  fi\n  sleep 5\ndone", f"until nc -z $h 6379{LAST}"),
    *("wait_for_ray() {\n  until ray status; do sleep 5; done\n}\nwait_for_ray", "wait-for-it.sh $h:6379 -t 60"),
    *("is_ready() { ray health-check; }\nuntil is_ready; do sleep 5; done", "wait_for_head $h", "./wait-for-port 6379"),
    # what nobody calls waits for nobody
    *(
        f"nodes() {{\n  until ray status | grep -c node_{LAST}\n}}",
        f"a() {{\n  until ray status | wc -l{LAST}\n}}\nb() {{ a; }}",
    ),
    "wait_for_nodes() {\n  until ray status | grep -c node_; do sleep 5; done\n}\nexport -f wait_for_nodes",
    'ready() {\n  python3 -c "import ray; assert len(ray.nodes()) == 2"\n}\n# ready\necho ready',
)
# and each of these when all have joined
ALL = (
    *(
        f"until [ $(ray status | grep -c node_) -ge $n ]{LAST}",
        f"while [ $(ray status | grep node_ | wc -l) -lt 2 ]{LAST}",
    ),
    *(f"until ray status | grep -q '{words}'{LAST}" for words in ("16.0 GPU", "/16.0 GPU", "2 node_")),
    *(
        f'until ray status | grep -q "/$gpus.0 GPU"{LAST}',
        f"until ray status | awk '/node_/ {{n++}} END {{exit n < 2}}'{LAST}",
    ),
    "for i in {1..9}; do\n  n=$(ray list nodes | grep -c ALIVE || true)\n  [ $n -ge 2 ] && break\n  sleep 5\ndone",
    'for i in {1..9}; do\n  out=$(ray status)\n  n=$(grep -c node_ <<< "$out")\n  [ $n -ge 2 ] && break\n  sleep 5\ndone',
    'while :; do\n  out=$(ray status)\n  [[ "$out" == *"16.0 GPU"* ]] && break\n  sleep 5\ndone',
    f"until [[ $(ray status) == *'16.0 GPU'* ]]{LAST}",
    f"while ray status > s; [ $(grep -c node_ s) -lt 2 ]{LAST}",
    f"until (( $(grep -c node_ < <(ray status)) >= 2 )){LAST}",
    f"until python3 -c 'import ray; ray.init(); assert len(ray.nodes()) == 2'{LAST}",
    f"until docker exec c python3 -c 'import ray; ray.init(); exit(ray.cluster_resources()[\"GPU\"] < 16)'{LAST}",
    "python3 - <<'E'\nimport ray\nwhile len(ray.nodes()) < 2:\n  pass\nassert ray.nodes()\nE",
    "wait_for_ray() {\n  until [ $(ray status | grep -c node_) -ge 2 ]; do sleep 5; done\n}\nwait_for_ray",
    "a() {\n  until ray status | grep -c 2; do sleep 5; done\n}\nb() {\n  a\n}\nb",
    "count() { ray status | grep -c node_; }\nuntil [ $(count) -ge 2 ]; do sleep 5; done",
    "ready() {\n  until ray status | wc -l | grep 9; do sleep 5; done\n}\nexport -f ready\ntimeout 300 bash -c ready",
    "wait_for_workers() {\n  until [ $(ls joined | wc -l) -ge 2 ]; do sleep 5; done\n}\nwait_for_workers",
    f"until srun bash -c 'ray status | grep -c node_ | grep 2'{LAST}",
    *("python3 wait_for_nodes.py 2", "./wait-until-ready.sh", "train --wait-for-nodes 2", "wait_for_cluster 2"),
)
DRIVERS = (
    *("python3 train.py", "bash train.sh", '"$@"', "$DRIVER", "ray job submit -- x", "./train", "torchrun t.py"),
    *("docker run img", "docker exec c vllm serve m", "srun --overlap $CMD", 'bash -c "$CMD"', "source ./train.sh"),
    *("uv run x", "trainer", "srun bash -c 'python3 t.py'", "ssh $h 'vllm serve m'", "apptainer run x.sif", "eval $C"),
    *('python3 -c "import ray; ray.init(); main()"', "python3 - <<'E'\nimport ray\nE", "bash <<'E'\ntrain\nE"),
)
NO_DRIVERS = (
    *("", "sleep infinity", "wait", "tail -f /dev/null", "while true; do sleep 60; done", "ray status", "echo up"),
    *("docker stop c; docker rm c", "trap 'docker stop c' EXIT", "stop() {\n  ray stop\n}\ntrap stop EXIT\nstop"),
    *('for a in "$@"; do case $a in -h) exit 1 ;; esac; done', 'ip=$(hostname -I | awk "{print 1}")', "shift 4"),
    *("ip=$(python3 -c 'import socket; print(socket.gethostname())')", "source /opt/v/bin/activate", "mkdir -p x"),
    *(
        "module load cuda",
        'eval "$(conda shell.bash hook)"',
        "conda activate x",
        "pip install ray",
        "uv pip install ray",
        "nvidia-smi -L",
    ),
)
VLLM = """\
#!/bin/bash
if [ $# -lt 4 ]; then
  echo "Usage: $0 image head --head|--worker home"
  exit 1
fi
IMAGE="$1"
shift 4
MORE=("$@")
NAME="node-${RANDOM}"
cleanup() {
  docker stop "${NAME}"
  docker rm "${NAME}"
}
trap cleanup EXIT
RAY_START_CMD="ray start --block"
if [ "${TYPE}" == "--head" ]; then
  RAY_START_CMD+=" --head --head --node-ip-address=${HEAD} --port=6379"
else
  RAY_START_CMD+=" --address=${HEAD}:6379"
fi
for arg in "${MORE[@]}"; do
  if [[ $arg == A=* ]]; then A="${arg#A=}"; break; fi
done
docker run --entrypoint /bin/bash --network host --name "${NAME}" "${MORE[@]}" "${IMAGE}" -c "${RAY_START_CMD}"
"""
SKY = """\
resources: {accelerators: "L40S:4"}
num_nodes: 2
run: |
  set -euo pipefail
  read -r head_ip _ <<< "$SKYPILOT_NODE_IPS"
  if [ "$SKYPILOT_NODE_RANK" = "0" ]; then
    ray start --head --port 6479
    until ray status --address 127.0.0.1:6479; do ((SECONDS<300)) || exit 1; sleep 5; done
    python train.py
  else
    ray start --address "$head_ip:6479" --block
  fi
"""

# code, file name, a text without that defect
RIGHT = [
    *(("MN757", "a.sh", f"{STARTS}{wait}\npython3 train.py\n") for wait in ALL),
    *(("MN757", "a.sh", f"{more}\n{STARTS}") for more in NO_DRIVERS),
    *(("MN757", "a.sh", f"{STARTS}{more}\n") for more in NO_DRIVERS),
    ("MN757", "a.sh", VLLM),
    (
        "MN757",
        "a.sbatch",
        SB + "srun -N1 ray start --head --block &\nsrun -N1 ray start --address=$h --block &\nwait\n",
    ),
    ("MN757", "a.dstack.yml", DSTACK + "  - if [ $R = 0 ]; then ray start --head; else ray start --address=$h; fi\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(("MN757", "a.sh", f"{STARTS}{wait}\npython3 train.py\n", 2) for wait in HEAD_ALONE),
    *(("MN757", "a.sh", f"{STARTS}{driver}\n", 2) for driver in DRIVERS),
    ("MN757", "a.sky.yaml", SKY, 11),
    ("MN757", "a.sh", VLLM + 'docker exec "${NAME}" vllm serve m\n', 15),
]
