"""The driver of the measurement: tells when it, Ray on the head and the batch shell were started.

    driver.py [--wait]      --wait: first wait for all nodes and GPUs, as the floor does, and count that too

All times are seconds after the machine's start, as the kernel keeps them of the processes. A container with processes
of its own does not show the batch shell: then that has 0, and this program stays a while for a look from outside.
"""

import json
import os
import sys
import time
from pathlib import Path

import ray
from proc_stat import started

HOLD = 10  # seconds; the measurement looks for the batch shell as soon as it sees the line


def command(pid: str) -> str:
    """The command line of a process; nothing for one that has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def oldest(*words: str) -> float:
    """The start of the first process whose command line has all these words."""
    lines = {each.name: command(each.name) for each in Path("/proc").glob("[0-9]*")}
    wanted = [pid for pid, line in lines.items() if all(word in line for word in words)]
    return min((of(pid) for pid in wanted if "srun" not in lines[pid] and "bash -c" not in lines[pid]), default=0.0)


def of(pid: str) -> float:
    """The start of one process."""
    return started(Path(f"/proc/{pid}/stat").read_text())


def seen() -> tuple[int, float]:
    """Live nodes and their GPUs."""
    nodes = [node for node in ray.nodes() if node["Alive"]]
    return len(nodes), sum(node["Resources"].get("GPU", 0) for node in nodes)


def connected(address: str) -> bool:
    """Try to reach the cluster."""
    try:
        ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    except (ConnectionError, RuntimeError):
        return False
    return True


def main() -> None:
    """Wait, if asked; report."""
    floor = "--wait" in sys.argv
    # The floor's batch shell has become this process.
    begin, head, now = oldest("slurm_script"), oldest("ray", "start", "--head"), of("self")
    address, nodes = os.environ.get("RAY_ADDRESS") or os.environ["ADDRESS"], int(os.environ["BENCH_NODES"])
    if floor:
        os.environ["RAY_ADDRESS"] = address
        while not connected(address):
            time.sleep(0.1)
        while seen() != (nodes, 8 * nodes):
            time.sleep(0.1)
        begin, head, now = now, oldest("ray", "start", "--head"), time.clock_gettime(time.CLOCK_BOOTTIME)
    else:
        ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    found, gpus = seen()
    line = {"begin": begin, "ray": head, "driver": now, "nodes": found, "gpus": gpus}
    sys.stdout.write(f"bootstrap {json.dumps(line)}\n")
    sys.stdout.flush()
    if not begin:
        # The other side ends the job once it has looked; how long this stays is no part of what was told.
        time.sleep(HOLD)


if __name__ == "__main__":
    main()
