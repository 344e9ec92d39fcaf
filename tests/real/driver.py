"""The driver of the real runs: proves that each node runs a task and an actor without a GPU, and tells what it got.

usage: driver.py [ANY ARGUMENT ...]; what else it does is in its environment:
  DRIVER_HOLD=S  stay for S seconds after the report, in the first attempt of the job only
  DRIVER_EXIT=N  end with that status

At USR1 it says that it saved its state, and ends well. At TERM it takes a second and a half for that.
"""

import json
import os
import signal
import socket
import sys
import time

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy


@ray.remote(num_cpus=0)
def where():
    return socket.gethostname()


@ray.remote(num_cpus=0, num_gpus=1)
def gpu():
    return socket.gethostname(), os.environ.get("CUDA_VISIBLE_DEVICES")


@ray.remote(num_cpus=0, num_gpus=0)
class Actor:
    def __init__(self):
        self.calls = 0

    def where(self):
        self.calls += 1
        return socket.gethostname(), self.calls


def on(node):
    return NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)


def say(text):
    sys.stdout.write(f"driver-{text}\n")
    sys.stdout.flush()


def save(*_):
    say("saved")
    sys.exit(0)


def save_slowly(*_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # Slurm and the node both send it
    say("saving")
    time.sleep(1.5)  # the time that writing a checkpoint takes
    say("saved slowly")
    os._exit(143)  # the cluster may be gone, and Ray's own end would wait for it


def main():
    signal.signal(signal.SIGUSR1, save)
    ray.init(address=os.environ["RAY_ADDRESS"], log_to_driver=False, logging_level="ERROR")
    signal.signal(signal.SIGTERM, save_slowly)  # ray.init sets one of its own
    nodes = [node for node in ray.nodes() if node["Alive"]]
    tasks = [where.options(scheduling_strategy=on(node)).remote() for node in nodes]
    masks = [gpu.options(scheduling_strategy=on(node)).remote() for node in nodes if node["Resources"].get("GPU")]
    actors = [Actor.options(scheduling_strategy=on(node)).remote() for node in nodes]
    report = {
        "argv": sys.argv[1:],
        "host": socket.gethostname(),
        "tasks": sorted(ray.get(tasks, timeout=120)),
        "gpus": sorted(ray.get(masks, timeout=120)),
        "actors": sorted(ray.get([actor.where.remote() for actor in actors], timeout=120)),
        "addresses": sorted(node["NodeManagerAddress"] for node in nodes),
        "attempt": os.environ.get("ATTEMPT"),
        "ray": ray.__version__,
    }
    say(f"report {json.dumps(report)}")
    if report["attempt"] == "0":
        time.sleep(float(os.environ.get("DRIVER_HOLD", "0")))
    return int(os.environ.get("DRIVER_EXIT", "0"))


if __name__ == "__main__":
    sys.exit(main())
