"""The inside of a container: a root of its own in a mount namespace, made of the image, the mounts and little else.

The machine's /usr and libraries play the image's; the image's `bin` is first on PATH there. Slurm's programs,
container clients and whatever was not mounted do not exist inside.
"""

import os
from pathlib import Path
from typing import Any, NamedTuple

from simlib import devices, kernel, linked, shadow
from simlib.options import RefusedError
from simlib.place import Sim, below

Mount = linked.Mount
READ_ONLY = kernel.MS_BIND | kernel.MS_REMOUNT | kernel.MS_RDONLY


class Root(NamedTuple):
    """What a container's file system consists of; `dev` None means the node's own /dev."""

    mounts: list[Mount]
    own_proc: bool = False
    dev: list[str] | None = None
    shm: str = ""
    writable: bool = True


def image_env(sim: Sim) -> dict[str, str]:
    """The environment written in the image."""
    image = sim.config["image"]
    folders = [
        *image.get("path", []),
        *([f"{sim.root}/venv/bin"] if image.get("ray", True) else []),
        sim.config["farm"],
    ]
    if sim.config["vendor"] == "rocm":
        folders.insert(-1, f"{sim.root}/gpubin")
    return sim.local({"PATH": ":".join(folders), **image.get("env", {})})


def check_image(sim: Sim, reference: str) -> None:
    """An image that was not made is refused."""
    known = sim.config["image"].get("references")
    if reference.startswith("/") or reference.endswith((".sif", ".sqsh")):
        if not os.path.exists(reference):
            raise RefusedError(f"could not open image {reference}: no such file or directory", 255)
    elif known is not None and reference.removeprefix("docker://") not in known:
        raise RefusedError(f"manifest for {reference} not found: manifest unknown", 125)


def _point(root: str, target: str, *, folder: bool) -> str:
    path = root + target
    if folder:
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).touch()
    return path


def _bind(root: str, mount: Mount) -> None:
    target = _point(root, mount.target, folder=os.path.isdir(mount.source))
    kernel.mount(mount.source, target, None, kernel.MS_BIND | kernel.MS_REC)
    if mount.read_only:
        kernel.mount("none", target, None, READ_ONLY)


def _is_system(name: str) -> bool:
    """Whether a folder of the root is taken from this machine."""
    return name in ("usr", "bin", "sbin", "etc") or name.startswith("lib")


def _named(sim: Sim, mounts: list[Mount]) -> dict[str, Any]:
    """What an image has of its own, and where mounts go: this machine's folders, which play its, may have neither."""
    image = sim.config["image"]
    places = {mount.target: os.path.isdir(mount.source) for mount in mounts}
    files = {**{path: "" for path, folder in places.items() if not folder}, **image.get("files", {})}
    return shadow.tree(files, [*image.get("folders", []), *(path for path, folder in places.items() if folder)])


def _image(sim: Sim, root: str, mounts: list[Mount]) -> None:
    named = _named(sim, mounts)
    for name in sorted(os.listdir("/")):
        path = f"/{name}"
        if os.path.islink(path):
            os.symlink(os.readlink(path), root + path)
        elif not _is_system(name):
            continue
        elif named.get(name):
            os.mkdir(root + path)
            shadow.show(path, root + path, named[name])
        else:
            _bind(root, Mount(path, path))
    for name in ("/tmp", "/var/tmp", "/root", "/home", "/run", "/opt", "/mnt", "/srv", "/proc", "/sys", "/dev"):
        os.makedirs(root + name, exist_ok=True)
    for name in ("/tmp", "/var/tmp"):
        os.chmod(root + name, 0o1777)
    real = (sim.config["ray"].get("real") or {}).get("folders", ())
    for path in {str(sim.root), sim.config["stubs"], sim.config["farm"], sim.config["python_prefix"], *real}:
        if not f"{path}/".startswith(("/usr/", "/etc/")):
            _bind(root, Mount(path, path))
    for name in sim.config["image"].get("folders", []):
        os.makedirs(root + name, exist_ok=True)
    for name, text in sim.config["image"].get("files", {}).items():
        os.makedirs(os.path.dirname(root + name), exist_ok=True)
        Path(root + name).write_text(text)
        os.chmod(root + name, 0o755)


def enter(sim: Sim, wanted: Root) -> None:
    """Build the root and make it this process's; needs a mount namespace of its own."""
    if below():
        linked.show(sim, wanted.mounts)
        return
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    root = str(sim.root / "spool" / f"root-{os.urandom(8).hex()}")
    os.mkdir(root)
    kernel.mount("root", root, "tmpfs", 0, "mode=755")
    _image(sim, root, wanted.mounts)
    if wanted.dev is None:
        kernel.mount("/dev", root + "/dev", None, kernel.MS_BIND | kernel.MS_REC)
    else:
        devices.fill(root + "/dev", wanted.dev)
    if wanted.shm:
        kernel.mount("shm", root + "/dev/shm", "tmpfs", 0, f"mode=1777,size={wanted.shm}")
    elif wanted.dev is not None:
        kernel.mount("/dev/shm", root + "/dev/shm", None, kernel.MS_BIND)
    if wanted.own_proc:
        kernel.mount("proc", root + "/proc", "proc")
    else:
        kernel.mount("/proc", root + "/proc", None, kernel.MS_BIND | kernel.MS_REC)
    kernel.mount("/sys", root + "/sys", None, kernel.MS_BIND | kernel.MS_REC)
    for mount in wanted.mounts:
        _bind(root, mount)
    if not wanted.writable:
        kernel.mount("none", root, None, READ_ONLY)
    os.chroot(root)
    os.chdir("/")


def change_folder(folder: str) -> None:
    """The working directory inside; a missing one is an error, as in every engine."""
    try:
        os.chdir(folder)
    except OSError as error:
        raise RefusedError(f"failed to set working directory {folder}: {error.strerror}", 255) from error


def own_namespaces(*, pid: bool, network: bool = False) -> None:
    """A mount namespace, perhaps a network, and for the next child a PID namespace; a node of processes has none."""
    if not below():
        wanted = (kernel.CLONE_NEWNS, kernel.CLONE_NEWPID if pid else 0, kernel.CLONE_NEWNET if network else 0)
        kernel.unshare(sum(wanted))


def end_namespaces() -> None:
    """After the first process of a container: the kernel ends the rest with its PID namespace, if it has one."""
    if below():
        kernel.kill_tree(os.getpid())


def parse_mount(text: str) -> Mount:
    """`source[:target[:options]]`."""
    parts = text.split(":")
    if len(parts) > 3 or not parts[0]:
        raise RefusedError(f"invalid mount {text!r}", 125)
    options = parts[2].split(",") if len(parts) == 3 else []
    known = {"ro", "rw", "z", "Z", "shared", "rshared", "slave", "rslave", "private", "rprivate", "rbind", "bind", "U"}
    if any(option not in known for option in options):
        raise RefusedError(f"invalid mode in mount {text!r}", 125)
    return Mount(parts[0], parts[1] if len(parts) > 1 else parts[0], "ro" in options)
