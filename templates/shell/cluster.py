import sys
import time

import ray

address, ready, nodes, gpus, timeout, on_loss, names = sys.argv[1:]
deadline, complete, whole, alive = time.monotonic() + float(timeout), False, False, []
while (whole or on_loss == "continue") if complete else time.monotonic() < deadline:
    try:
        if not ray.is_initialized():
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        alive = [(n["NodeName"], n["Resources"].get("GPU", 0)) for n in ray.nodes() if n["Alive"]]
    except (ConnectionError, RuntimeError, ray.exceptions.RayError):  # it still comes up, or is too busy to answer
        pass
    whole, found = len(alive) >= int(nodes), sum(count for _, count in alive)
    missing = sorted(set(names.split()) - {name for name, _ in alive})
    named = ",".join(missing[:40]) + (f" and {len(missing) - 40} more" if len(missing) > 40 else "")
    state = f"{len(alive)} of {nodes} nodes, {found:g} of {gpus} GPUs; missing: {named or ('none' if whole else '?')}"
    if whole and found >= float(gpus) and not complete:
        print(state, flush=True)
        open(ready, "w").close()
        complete = True
    time.sleep(2 if complete else 0.5)
print(state)
sys.exit(76 if complete else 75)
