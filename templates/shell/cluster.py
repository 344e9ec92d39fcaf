"""Waits until all nodes and GPUs have joined, then watches that they stay."""

import os
import sys
import time

import ray

address, ready_file, nodes, gpus, timeout, on_loss = sys.argv[1:]
names, size = os.environ["CLUSTER_NODES"].split(), int(nodes)
deadline = time.monotonic() + float(timeout)
complete, seen = False, None
while not ray.is_initialized():
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError) as error:  # the head itself is still coming up
        print(error, flush=True)
        if time.monotonic() > deadline:
            sys.exit(75)
while True:
    alive = [node for node in ray.nodes() if node["Alive"]]
    found = sum(node["Resources"].get("GPU", 0) for node in alive)
    missing = ",".join(name for name in names if name not in {node["NodeName"] for node in alive})
    if (len(alive), found) != seen:
        seen = len(alive), found
        print(f"{len(alive)} of {size} nodes, {found:g} of {gpus} GPUs; missing: {missing or '-'}", flush=True)
    if complete and on_loss == "fail" and len(alive) < size:
        sys.exit(76)
    if not complete and len(alive) >= size and found >= float(gpus):
        complete = open(ready_file, "w").close() is None
    if not complete and time.monotonic() > deadline:
        sys.exit(75)
    time.sleep(2 if complete else 0.5)
