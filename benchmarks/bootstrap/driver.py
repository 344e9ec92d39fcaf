"""The driver of the measurement: tells when it was started, and when Ray was, in seconds after the batch shell.

    driver.py [--wait]      --wait: first wait for all nodes and GPUs, as the floor does, and count that too

All times are what the kernel keeps of the processes (field 22 of /proc/PID/stat, in ticks of a hundredth second).
"""

import json
import os
import sys
import time
from pathlib import Path

import ray

TICKS = os.sysconf("SC_CLK_TCK")


def started(pid: str) -> float:
    """When a process was started, in seconds after the machine."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]) / TICKS


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
    return min(
        (started(pid) for pid in wanted if "srun" not in lines[pid] and "bash -c" not in lines[pid]), default=0.0
    )


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
    # The floor's batch shell has become this process.
    begin, head = oldest("slurm_script") or started("self"), oldest("ray", "start", "--head")
    now = started("self")
    address, nodes = os.environ.get("RAY_ADDRESS") or os.environ["ADDRESS"], int(os.environ["BENCH_NODES"])
    if "--wait" in sys.argv:
        os.environ["RAY_ADDRESS"] = address
        while not connected(address):
            time.sleep(0.1)
        while seen() != (nodes, 8 * nodes):
            time.sleep(0.1)
        now, head = time.clock_gettime(time.CLOCK_BOOTTIME), oldest("ray", "start", "--head")
    else:
        ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    found, gpus = seen()
    line = {"driver": now - begin, "ray": head - begin, "nodes": found, "gpus": gpus}
    sys.stdout.write(f"bootstrap {json.dumps(line)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
