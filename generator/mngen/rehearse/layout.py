"""The folder of a simulation: launchers on PATH, a Python with the stand-in for Ray, nodes' files."""

import atexit
import functools
import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from mngen.errors import EnvironmentFailure
from mngen.rehearse.folders import make_folder

STAND_INS = Path(__file__).resolve().parent / "stand_ins"
PYTHON = os.path.realpath(sys.executable)
SYSTEM_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")

SLURM = {
    "srun": ("srun", "main"),
    "sbatch": ("sbatch", "main"),
    "scontrol": ("slurm_control", "scontrol"),
    "scancel": ("slurm_control", "scancel"),
    "squeue": ("slurm_control", "squeue"),
    "sinfo": ("slurm_control", "sinfo"),
    "sacct": ("slurm_control", "sacct"),
}
RUNTIMES = {
    "apptainer": ("apptainer", "main"),
    "singularity": ("apptainer", "main"),
    "docker": ("docker", "main"),
    "podman": ("docker", "main"),
    "enter-image": ("docker", "prefix"),
}
IN_IMAGE = {"ray": ("ray_cli", "main"), "sim-driver": ("probes", "driver"), "sim-service": ("probes", "service")}
GPU_TOOLS = {
    "nvidia-smi": ("gpu_tools", "nvidia_smi"),
    "rocm-smi": ("gpu_tools", "rocm_smi"),
    "amd-smi": ("gpu_tools", "amd_smi"),
}
PLAIN = {
    **dict.fromkeys(("getent", "ip", "ss", "hostname", "uname", "df"), ""),
    "sim-connect": "connect",
}
"""What nodes have besides that are plain processes, with the function that plays it where that has another name."""
HIDDEN = {*SLURM, *RUNTIMES, *GPU_TOOLS, "ray", "python", "dockerd", "podman-compose", "rocminfo", "salloc", "slurmd"}


def _launcher(path: Path, root: Path, module: str, function: str) -> None:
    path.write_text(
        f"#!{PYTHON} -IS\nimport sys\nsys.path.insert(0, {str(STAND_INS)!r})\n"
        f"from simlib.launch import start\nstart({module!r}, {function!r}, {str(root)!r})\n"
    )
    path.chmod(0o755)


@functools.cache
def _system_programs() -> dict[str, str]:
    found: dict[str, str] = {}
    for folder in SYSTEM_FOLDERS:
        for path in Path(folder).iterdir() if Path(folder).is_dir() else ():
            found.setdefault(path.name, str(path))
    return found


@functools.cache
def farm(hidden: frozenset[str]) -> Path:
    """A folder of links to the machine's own programs, without those that are simulated or said to be missing."""
    folder, _ = make_folder("farm-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, target in _system_programs().items():
        if name not in HIDDEN and name not in hidden:
            (folder / name).symlink_to(target)
    return folder


def _venv(root: Path, version: str, real: dict[str, Any] | None) -> None:
    """A Python environment as an image has it; `python3` is the real one, `import ray` finds the stand-in."""
    bin_folder = root / "venv" / "bin"
    bin_folder.mkdir(parents=True)
    if real:
        _real(root, bin_folder, real)
        return
    for name in ("python", "python3"):
        (bin_folder / name).symlink_to(PYTHON)
    (root / "venv" / "pyvenv.cfg").write_text(f"home = {Path(PYTHON).parent}\ninclude-system-site-packages = false\n")
    site = root / "venv" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    info = site / f"ray-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ray\nVersion: {version}\n")
    (site / "simulation.pth").write_text(f"{STAND_INS}\n{STAND_INS / 'pymodules'}\n")
    (bin_folder / "activate").write_text(
        f'VIRTUAL_ENV={root}/venv\nexport VIRTUAL_ENV\nPATH="$VIRTUAL_ENV/bin:$PATH"\nexport PATH\n'
    )
    for name, (module, function) in IN_IMAGE.items():
        _launcher(bin_folder / name, root, module, function)


def _real(root: Path, bin_folder: Path, real: dict[str, Any]) -> None:
    """The same with an installed Ray: a link to its Python would not find its packages."""
    for name in ("python", "python3"):
        (bin_folder / name).write_text(f'#!/bin/bash\nexec {shlex.quote(real["python"])} "$@"\n')
        (bin_folder / name).chmod(0o755)
    (bin_folder / "activate").write_text(f'PATH="{bin_folder}:$PATH"\nexport PATH\n')
    for name, (module, function) in {**IN_IMAGE, "ray": ("real_ray", "ray")}.items():
        _launcher(bin_folder / name, root, module, function)


def _fresh(tmp: Path, fresh: dict[str, str | None]) -> None:
    """What a node has in its own /tmp from the start."""
    for path, text in fresh.items():
        if path.startswith("/tmp/"):
            place = tmp / path.removeprefix("/tmp/")
            (place if text is None else place.parent).mkdir(parents=True, exist_ok=True)
            if text is not None:
                place.write_text(text)


def make(
    root: Path, config: dict[str, Any], hosts: dict[str, str], *, ipv4_first: bool, gpu_tools: tuple[str, ...]
) -> None:
    """Write the whole folder."""
    for name in ("bin", "gpubin", "records", "state", "spool", "images"):
        (root / name).mkdir(parents=True)
    for name, (module, function) in {
        **SLURM,
        **RUNTIMES,
        "nproc": ("gpu_tools", "nproc"),
        "sim-pty": ("probes", "pty"),
    }.items():
        _launcher(root / "bin" / name, root, module, function)
    for name in gpu_tools:
        _launcher(root / "bin" / name, root, *GPU_TOOLS[name])
        _launcher(root / "gpubin" / name, root, *GPU_TOOLS[name])
    _venv(root, config["ray"]["version"], config["ray"]["real"])
    # Stand-ins start without packages, and an image shows them nothing but this folder.
    code = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(Path(yaml.__file__).parent, root / "packages/yaml", ignore=code)
    for node in config["nodes"]:
        home = root / "nodes" / node["name"]
        (home / "tmp").mkdir(parents=True)
        (home / "tmp").chmod(0o1777)
        _fresh(home / "tmp", config["fresh"])
        (home / "hosts").write_text(hosts[node["name"]])
        (home / "nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n")
        (home / "gai.conf").write_text("precedence ::ffff:0:0/96 100\n" if ipv4_first else "")
    (root / "sim.json").write_text(json.dumps(config))


def add_plain(root: Path) -> None:
    """Add what nodes need that are plain processes: programs that tell of the network, and its sockets in Python."""
    for folder in (root / "bin", root / "venv/bin"):
        for name, function in PLAIN.items():
            _launcher(folder / name, root, "plain_tools", function or name)
    (paths,) = (root / "venv").glob("lib/*/site-packages/simulation.pth")
    with paths.open("a") as out:
        out.write(f"import simlib.loopback; simlib.loopback.install({str(root)!r})\n")


def find_ip() -> str:
    """The real `ip` program."""
    path = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if path is None:
        raise EnvironmentFailure("a simulated cluster needs the program `ip`", hint="install iproute2")
    return path
