"""Device files of simulated nodes: real character devices (the null device bound under another name)."""

import os
import shutil
from pathlib import Path
from typing import Any

from simlib import kernel
from simlib.place import below

STANDARD = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}


def gpu_devices(vendor: str, numbers: list[int]) -> list[str]:
    """The device files of GPUs."""
    if not numbers:
        return []
    if vendor == "cuda":
        return [f"/dev/nvidia{number}" for number in numbers] + ["/dev/nvidiactl", "/dev/nvidia-uvm"]
    return (
        ["/dev/kfd"]
        + [f"/dev/dri/renderD{128 + number}" for number in numbers]
        + [f"/dev/dri/card{number}" for number in numbers]
    )


def bind_null(target: Path) -> None:
    """Make `target` a character device."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch()
    kernel.mount("/dev/null", str(target), None, kernel.MS_BIND)


def fill(folder: str, extra: list[str]) -> None:
    """A fresh /dev at `folder`: the usual devices and the extra ones (full names below /dev)."""
    kernel.mount("dev", folder, "tmpfs", 0, "mode=755,size=64k")
    for name in STANDARD:
        Path(folder, name).touch()
        kernel.mount(f"/dev/{name}", f"{folder}/{name}", None, kernel.MS_BIND)
    for name, target in LINKS.items():
        os.symlink(target, f"{folder}/{name}")
    for name in ("pts", "shm", "mqueue"):
        os.mkdir(f"{folder}/{name}")
    # Of its own: where the machine's has ptmxmode=000, its usual value, only root makes a terminal through pts/ptmx
    # (https://docs.kernel.org/filesystems/devpts.html).
    kernel.mount("devpts", f"{folder}/pts", "devpts", 0, "newinstance,ptmxmode=0666")
    os.symlink("pts/ptmx", f"{folder}/ptmx")
    for name in extra:
        bind_null(Path(folder, name.removeprefix("/dev/")))


def mount_node_devices(home: Path, node: dict[str, Any], vendor: str) -> None:
    """Give a node its /dev, and for AMD the topology below /sys/class/kfd."""
    numbers = list(range(node["gpus"]))
    (home / "dev").mkdir()
    fill(str(home / "dev"), gpu_devices(vendor, numbers) + list(node.get("devices", ())))
    kernel.mount(str(home / "dev"), "/dev", None, kernel.MS_BIND | kernel.MS_REC)
    try:
        kernel.mount("sysfs", "/sys", "sysfs")
    except OSError:
        return  # not allowed here: /sys stays the machine's
    folder = home / "sys-class"
    kernel_classes(folder, node, vendor)
    if folder.exists():
        (folder / "net").mkdir()
        kernel.mount("/sys/class/net", str(folder / "net"), None, kernel.MS_BIND)
        kernel.mount(str(folder), "/sys/class", None, kernel.MS_BIND | kernel.MS_REC)


def kernel_classes(folder: Path, node: dict[str, Any], vendor: str) -> None:
    """What a node's kernel shows of its devices below /sys/class."""
    if vendor == "rocm" and node["gpus"]:
        _kfd(folder, [kfd_version(arch(node, number, "gfx942")) for number in range(node["gpus"])])
    if node.get("rdma"):
        _ports(folder, node["rdma"])


def _ports(folder: Path, ports: list[dict[str, str]]) -> None:
    """The ports of RDMA devices, one each (https://docs.kernel.org/infiniband/sysfs.html)."""
    for number, port in enumerate(ports):
        entry = folder / f"infiniband/mlx5_{number}/ports/1"
        entry.mkdir(parents=True)
        for name, text in port.items():
            (entry / name).write_text(text + "\n")


def _kfd(folder: Path, versions: list[int]) -> None:
    for place, version in enumerate([0, *versions]):  # node 0 is the CPU, whose id is 0
        entry = folder / "kfd/kfd/topology/nodes" / str(place)
        entry.mkdir(parents=True)
        (entry / "gpu_id").write_text(f"{50000 + place if version else 0}\n")
        (entry / "properties").write_text(f"simd_count 0\ngfx_target_version {version}\nvendor_id 4098\n")


def arch(node: dict[str, Any], number: int, usual: str) -> str:
    """What a GPU of a node is: its compute capability, or its `gfx` name."""
    archs = node.get("gpu_arch", [])
    return str(archs[number]) if number < len(archs) else usual


def kfd_version(name: str) -> int:
    """The number that the kernel has for a `gfx` name, whose last two digits are hexadecimal."""
    digits = name.removeprefix("gfx")
    return int(digits[:-2]) * 10000 + int(digits[-2], 16) * 100 + int(digits[-1], 16)


def present(vendor: str) -> list[int]:
    """Numbers of the GPUs whose device files exist here."""
    if vendor == "cuda":
        return [number for number in range(64) if os.path.exists(f"{below()}/dev/nvidia{number}")]
    return (
        [number for number in range(64) if os.path.exists(f"{below()}/dev/dri/renderD{128 + number}")]
        if os.path.exists(f"{below()}/dev/kfd")
        else []
    )


def clean(folder: Path) -> None:
    """Forget what an earlier container left."""
    shutil.rmtree(folder, ignore_errors=True)
