"""Waits until all nodes and GPUs have joined, then watches that they stay."""

import os
import sys
import time

import ray

address, ready_file, nodes, gpus, timeout, on_loss = sys.argv[1:]
deadline, complete, seen = time.monotonic() + float(timeout), False, None
while True:
    try:
        if not ray.is_initialized():
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        alive = sorted((n["NodeName"], n["Resources"].get("GPU", 0)) for n in ray.nodes() if n["Alive"])
    except (ConnectionError, RuntimeError):  # the head itself is still coming up
        alive = []
    found, short = sum(count for _, count in alive), len(alive) < int(nodes)
    if alive != seen:
        missing = sorted(set(os.environ["CLUSTER_NODES"].split()) - {name for name, _ in alive})
        more = f" and {len(missing) - 40} more" if len(missing) > 40 else ""
        names = f"; missing: {','.join(missing[:40])}{more}" if missing else ""
        print(f"{len(alive)} of {nodes} nodes, {found:g} of {gpus} GPUs{names}", flush=True)
        seen = alive
    if complete and short and on_loss == "fail":
        sys.exit(76)
    if not complete and not short and found >= float(gpus):
        open(ready_file, "w").close()
        complete = True
    elif not complete and time.monotonic() > deadline:
        sys.exit(75)
    time.sleep(2 if complete else 0.5)
