"""The configuration file of a simulation, from its options."""

from pathlib import Path
from typing import Any

from mngen.rehearse import layout
from mngen.rehearse.nets import Net
from mngen.rehearse.options import Options

MASKS = ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "GPU_DEVICE_ORDINAL")
"""What Slurm sets for GPUs without flags in gres.conf."""
VENDOR_TOOLS = {"cuda": ("nvidia-smi",), "rocm": ("rocm-smi", "amd-smi")}


def gpu_tools(chosen: Options) -> tuple[str, ...]:
    """The vendor programs that nodes have."""
    if chosen.gpu_tools is not None:
        return chosen.gpu_tools
    return VENDOR_TOOLS[chosen.vendor] if chosen.gpus else ()


def _nodes(chosen: Options, names: list[str], net: Net, top: Path) -> list[dict[str, Any]]:
    real = (chosen.ray_real or {}).get("folders", ())
    keep = [str(folder) for folder in (layout.STAND_INS, top, *real) if str(folder).startswith("/tmp/")]
    plain = {"cpus": chosen.cpus, "gpus": chosen.gpus, "shm": chosen.shm, "keep": keep}
    return [
        {"name": name, **plain, **net.node(number), **chosen.node.get(name, {})}
        for number, name in enumerate(names, start=1)
    ]


def _image(image: dict[str, Any], top: Path) -> dict[str, Any]:
    """The image with `~`, the submitting user's home, spelt out in its paths."""

    def spelt(path: str) -> str:
        return str(top / "home") + path[1:] if path.startswith("~/") else path

    found = dict(image)
    if "folders" in image:
        found["folders"] = [spelt(path) for path in image["folders"]]
    if "files" in image:
        found["files"] = {spelt(path): text for path, text in image["files"].items()}
    return found


def config(chosen: Options, names: list[str], net: Net, top: Path) -> dict[str, Any]:
    """Everything that the stand-ins read."""
    return {
        "nodes": _nodes(chosen, names, net, top),
        "login_batch": net.login(),
        "vendor": chosen.vendor,
        "image": _image(chosen.image, top),
        "fresh": chosen.fresh,
        "writable": list(chosen.writable),
        "absent": list(chosen.absent),
        "python_prefix": str(Path(layout.PYTHON).parent.parent),
        "stubs": str(layout.STAND_INS),
        "farm": str(layout.farm(frozenset(chosen.image.get("missing", ())))),
        "slurm": {
            "version": chosen.slurm,
            "pyxis": chosen.pyxis,
            "proctrack": chosen.proctrack,
            "kill_wait": chosen.kill_wait,
            "busy_wait": chosen.busy_wait,
            "requeue_delay": chosen.requeue_delay,
            "first_job": chosen.first_job,
            "gpu_env": list(chosen.gpu_env or MASKS),
            "first_gpu": chosen.first_gpu,
            "constrain": chosen.constrain_gpus,
        },
        "ray": {
            "version": chosen.ray,
            "health_s": chosen.health_s,
            "join_s": chosen.join_s,
            "reconnect_s": chosen.reconnect_s,
            "client": chosen.ray_client,
            "real": chosen.ray_real,
        },
    }
