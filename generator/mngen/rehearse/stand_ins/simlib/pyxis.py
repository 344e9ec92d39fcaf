"""pyxis: which of its options reach the nodes, and how a Slurm task gets into its image there.

`srun` tells the plugin of each option that it reads, and pyxis refuses some that are given twice (its args.c). But
Slurm keeps one value of each, the last, and hands only that to the nodes (`optarg` in its src/common/plugstack.c): of
two `--container-mounts` the first is lost without a word.
"""

import os
import tempfile

from simlib import rootfs
from simlib.options import Parsed, RefusedError
from simlib.place import Sim

Options = dict[str, str]
ONE_VALUE = ("container-image", "container-workdir", "container-name", "container-save")
"""Given twice with different values, they are refused."""
OPPOSITES = (
    ("container-mount-home", "no-container-mount-home"),
    ("container-remap-root", "no-container-remap-root"),
    ("container-entrypoint", "no-container-entrypoint"),
    ("container-writable", "container-readonly"),
)
_NAMES = (*ONE_VALUE, "container-mounts", "container-env", "container-entrypoint-log", *sum(OPPOSITES, ()))


def read(parsed: Parsed) -> Options:
    """What `srun` hands to the nodes; nothing where no container is wanted."""
    given = {name: parsed.options[name] for name in _NAMES if name in parsed.options}
    for name, values in given.items():
        for value in values:
            _check(name, value, values[0])
    for pair in OPPOSITES:
        if all(name in given for name in pair):
            raise RefusedError(f"pyxis: both --{pair[0]} and --{pair[1]} were specified")
    if "container-image" in given or "container-name" in given:
        return {name: values[-1] for name, values in given.items()}
    for name in given:
        why = "because neither --container-image nor --container-name is set"
        os.write(2, f"srun: error: pyxis: ignoring --{name} {why}\n".encode())
    return {}


def _check(name: str, value: str, first: str) -> None:
    """Refuse what pyxis refuses as soon as `srun` reads it."""
    why = ""
    takes = name in ONE_VALUE or name in ("container-mounts", "container-env")
    if takes and not value:
        why = f"--{name}: argument required"
    elif name in ONE_VALUE and value != first:
        why = f"--{name} specified multiple times"
    elif name == "container-name" and not value.partition(":")[0]:
        why = "--container-name: empty name"
    elif name == "container-name" and value.partition(":")[2] not in ("", "auto", "create", "exec", "no_exec"):
        why = '--container-name: flag must be "auto", "create", "exec" or "no_exec"'
    elif name == "container-env" and "" in value.split(","):
        why = f"--container-env: invalid format: {value}"
    if why:
        raise RefusedError(f"pyxis: {why}\nsrun: error: Invalid --{name} argument: {value}")
    if name == "container-mounts":
        _mounts(value)


def _mounts(text: str) -> list[rootfs.Mount]:
    """`source[:target[:flag+flag]]`, more of them after commas."""
    found = []
    for item in text.split(","):
        source, *more = item.split(":", 2)
        target, why = more[0] if more else source, ""
        if not source or not target:
            why = f"--container-mounts: invalid format: {item}"
        elif not source.startswith((".", "/")) and source not in ("tmpfs", "umount"):
            why = 'mount source must be a relative path, an absolute path, "tmpfs" or "umount"'
        elif not target.startswith((".", "/")):
            why = "mount target must be a relative path or an absolute path"
        if why:
            raise RefusedError(f"pyxis: {why}\nsrun: error: Invalid --container-mounts argument: {text}")
        flags = more[1].replace("+", ",").split(",") if len(more) > 1 else []
        found.append(rootfs.Mount(source, target, "ro" in flags))
    return found


def _has_nvidia_tools(sim: Sim, env: dict[str, str]) -> bool:
    """Whether enroot's hook brings `nvidia-smi`, which images with CUDA ask for by their variables.

    https://github.com/NVIDIA/enroot/blob/master/conf/hooks/98-nvidia.sh
    """
    wanted = env.get("NVIDIA_DRIVER_CAPABILITIES") or "utility"
    asked = env.get("NVIDIA_VISIBLE_DEVICES") or "void"
    has = sim.config["vendor"] == "cuda" and sim.node()["gpus"] > 0
    return has and asked != "void" and bool({"all", "utility"} & set(wanted.replace(",", " ").split()))


def enter(sim: Sim, options: Options, env: dict[str, str]) -> dict[str, str]:
    """Put a Slurm task into its image; the environment that results (image values win)."""
    image = options.get("container-image", "")
    if image:
        rootfs.check_image(sim, image if image.startswith(("/", "./")) else image.replace("#", "/"))
    wanted = rootfs.Root([], writable="container-writable" in options)
    for mount in _mounts(options["container-mounts"]) if "container-mounts" in options else ():
        source = mount.source
        if source == "umount":  # there is nothing that an administrator's configuration would have mounted
            continue
        if source == "tmpfs":
            source = tempfile.mkdtemp(dir=sim.root / "spool")
        if not os.path.exists(source):
            raise RefusedError(f"pyxis: couldn't mount {source}: No such file or directory")
        wanted.mounts.append(mount._replace(source=source))
    if "no-container-mount-home" not in options and os.path.isdir(env.get("HOME", "")):
        wanted.mounts.append(rootfs.Mount(env["HOME"], env["HOME"]))
    kept = options.get("container-env", "").split(",")
    of_image = rootfs.image_env(sim)
    inside = {**env, **{key: value for key, value in of_image.items() if key not in kept or key not in env}}
    if _has_nvidia_tools(sim, inside):
        inside["PATH"] = f"{sim.root}/gpubin:" + inside["PATH"]
    sim.record(
        "container",
        runtime="pyxis",
        image=image,
        name=options.get("container-name", ""),
        mounts=[mount._asdict() for mount in wanted.mounts],
        env=inside,
        options=options,
    )
    rootfs.own_namespaces(pid=False)
    rootfs.enter(sim, wanted)
    rootfs.change_folder(options.get("container-workdir", sim.config["image"].get("workdir", "/")))
    return inside
