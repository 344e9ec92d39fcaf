"""`nvidia-smi`, `rocm-smi`, `amd-smi`, `nproc`: what they say about a node's devices."""

import os
import sys

from simlib import devices
from simlib.options import RefusedError, Table
from simlib.place import Sim


def _numbers(sim: Sim) -> list[int]:
    """The GPUs that this process may use: those with device files here, within a job's cgroup the job's own."""
    found = devices.present(sim.config["vendor"])
    hidden = sim.fault("gpus")
    if hidden is not None:
        found = found[: int(hidden)]
    mine = os.environ.get("SLURM_STEP_GPUS") or os.environ.get("SLURM_JOB_GPUS")
    if mine and sim.config["slurm"]["constrain"]:
        found = [number for number in found if str(number) in mine.split(",")]
    return found


def nvidia_smi(root: str) -> int:
    """`-L` and `--query-gpu=… --format=csv`."""
    sim = Sim(root)
    parsed = Table("nvidia-smi", "L/list-gpus query-gpu= query-compute-apps= format= i/id= q/query d/display=").parse(
        sys.argv[1:]
    )
    chosen = parsed.last("id")
    numbers = [int(item) for item in chosen.split(",")] if chosen else _numbers(sim)
    if not numbers and parsed.has("list-gpus"):
        print("No devices found.")  # driver 570; one that cannot be reached says so here, too
        return 0
    if not numbers or any(number not in _numbers(sim) for number in numbers):
        print("No devices were found", file=sys.stderr)
        return 6
    if parsed.has("query-compute-apps"):
        print("\n".join(sim.fault("gpu_processes", [])))
        return 0
    values = {
        "index": "{0}",
        "name": "NVIDIA H100 80GB HBM3",
        "uuid": "GPU-00000000-0000-0000-0000-{0:012d}",
        "memory.total": "81559 MiB",
        "memory.used": "0 MiB",
        "count": str(len(numbers)),
        "driver_version": "550.54",
        "compute_cap": "{1}",
    }
    query = parsed.last("query-gpu")
    for number in numbers:
        if query is None:
            print(f"GPU {number}: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000-0000-0000-0000-{number:012d})")
            continue
        unknown = [name for name in query.split(",") if name not in values]
        if unknown:
            raise RefusedError(f'Field "{unknown[0]}" is not a valid field to query.', 2)
        print(
            ", ".join(values[name].format(number, devices.arch(sim.node(), number, "9.0")) for name in query.split(","))
        )
    return 0


def rocm_smi(root: str) -> int:
    """`--showid` and `--showuniqueid`, one line a device."""
    sim = Sim(root)
    Table("rocm-smi", "i/showid showuniqueid showproductname showmeminfo= csv json showpids").parse(sys.argv[1:])
    for number in _numbers(sim):
        print(f"GPU[{number}]\t\t: Device Name: AMD Instinct MI300X\nGPU[{number}]\t\t: Device ID: 0x74a1")
    return 0


def amd_smi(root: str) -> int:
    """`amd-smi list`."""
    sim = Sim(root)
    if sys.argv[1:2] != ["list"]:
        raise RefusedError("amd-smi: only `list` is known here", 2)
    for number in _numbers(sim):
        print(f"GPU: {number}\n    BDF: 0000:{number:02x}:00.0\n    UUID: {number:08x}-0000-1000-8000-000000000000\n")
    return 0


def nproc(root: str) -> int:
    """The CPUs of the step, else of the node; as the real one, no more than OpenMP's limits."""
    sim = Sim(root)
    Table("nproc", "all ignore=").parse(sys.argv[1:])
    granted = os.environ["SLURM_CPUS_PER_TASK"] if "SLURM_STEP_ID" in os.environ else sim.node()["cpus"]
    wanted = int(os.environ.get("OMP_NUM_THREADS") or granted)
    print(min(wanted, int(os.environ.get("OMP_THREAD_LIMIT") or wanted)))
    return 0
