"""How a process gets into the image: the options of each container client.

A runtime sees only what is listed here: the job's own folder, the manifest's mounts, the GPUs, and the
variables that are handed over by name. The manifest's ``env`` needs no option at all, because the
script exports it inside the container, where no client can bend it and no image can override it.
"""

from __future__ import annotations

from mngen.launch import mounting, secret_files
from mngen.launch.layout import continued
from mngen.launch.names import expression, inside_variables, uses_host_ids
from mngen.launch.words import quote, word
from mngen.manifest.base_image import split_host
from mngen.manifest.fabrics import fabric
from mngen.manifest.judging.port_plan import SHARED_KINDS
from mngen.manifest.model import Runtime, Target, Variant
from mngen.manifest.text import Ref, Text
from mngen.plan import Raw

_MASKS = {
    Variant.CUDA: ("CUDA_VISIBLE_DEVICES",),
    Variant.ROCM: ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"),
}
_ALONE = (Runtime.NONE, Runtime.PYXIS)


def has_host_role(target: Target) -> bool:
    """Whether each node runs one part on the host and one inside; pyxis and none have a single part."""
    return target.runtime not in _ALONE


def handover(target: Target) -> Raw:
    """Names of the variables that go into the container."""
    names = ["JOB_ID", "ATTEMPT", "JOB_DIR", "HEAD_IP", "NODE_IP", "NODE_RANK", "NODE_NAME", "NODE_INTERFACE"]
    names += ["PORT_BLOCK"] if target.kind in SHARED_KINDS else []
    names += ["CLUSTER_NODES", "CPUS"]
    if target.ray.auth != "disabled":
        names += ["RAY_AUTH_TOKEN", "RAY_AUTH_MODE"]
    if target.keeps_logs:
        names.append("LOG_DIR")
    if uses_host_ids(target):
        names += ["HOST_UID", "HOST_GID"]
    names += [f"HOST_{name}" for name in inside_variables(target)]
    if target.container.clean_env and target.resources.gpus:
        # Which GPUs are the job's; where Slurm does not hide the others, nothing else says so.
        names += _MASKS[target.variant]
    own = secret_files.in_batch(target)
    names += [s.name for s in target.secrets if (own or s.file is None) and s.name not in names]
    return continued(names, indent=4, used=14)


def image(target: Target) -> Raw:
    """The image as the runtime's client takes it."""
    ready, built = target.image, target.built_image
    variable = expression(inside=False)
    if ready is not None and ready.sif is not None:
        return word(ready.sif, variable)
    if ready is not None and ready.sqsh is not None:
        return word(ready.sqsh, variable)
    reference = ready.ref if ready is not None else (built.pulled if built is not None else None)
    if reference is None:
        return Raw("")
    if target.runtime is Runtime.APPTAINER:
        return quote(reference if "://" in reference else f"docker://{reference}")
    if target.runtime is Runtime.PYXIS:
        return quote(enroot_reference(reference))
    return quote(reference)


def enroot_reference(reference: str) -> str:
    """Return a reference in enroot's form: registry and path joined by ``#``, and a digest in the place of the tag.

    An ``@`` would end a user's name there. Sources:
    https://github.com/NVIDIA/enroot/blob/master/doc/cmd/import.md and src/docker.sh
    """
    name, at, digest = reference.partition("@")
    if at:
        path, colon, tag = name.rpartition(":")
        reference = f"{path if colon and '/' not in tag else name}:{digest}"
    host, path = split_host(reference)
    return f"{host}#{path}" if host else reference


def apptainer_options(target: Target) -> tuple[Raw, ...]:
    """Options of ``apptainer exec`` (https://apptainer.org/docs/user/latest/cli/apptainer_exec.html)."""
    box = target.container
    gpu = box.gpu
    if gpu == "auto":
        gpu = ("nv" if target.variant is Variant.CUDA else "rocm") if target.resources.gpus else "none"
    # Processes of its own: the kernel ends them with the container, whatever killed its client. Slurm may not find them
    # then, where it tracks a job by parents or groups (https://slurm.schedmd.com/slurm.conf.html#OPT_ProctrackType).
    options = ["--pid"]
    if gpu in {"nv", "rocm"}:
        options.append(f"--{gpu}")
    if gpu == "devices":
        devices = ("/dev/kfd", "/dev/dri") if target.variant is Variant.ROCM else ("/dev/nvidiactl", "/dev/nvidia-uvm")
        options += [f"--bind {device}" for device in devices]
    if box.clean_env:
        options.append("--cleanenv")
    if not box.mount_home:
        options.append("--no-home")
    if box.writable:
        options.append("--writable-tmpfs")
    options += [f"--bind {mounting.bind_word(mount)}" for mount in mounting.mounts(target)]
    options.append('--bind "${JOB_DIR}"')
    options += list(option_words(box.options))
    return tuple(Raw(option) for option in options)


def option_words(texts: tuple[Text, ...]) -> tuple[Raw, ...]:
    """The manifest's own options as shell words of the host."""
    variable = expression(inside=False)
    return tuple(word(text, variable) for text in texts)


def pyxis_options(target: Target) -> tuple[Raw, ...]:
    """Options of ``srun`` that start the step in a container (https://github.com/NVIDIA/pyxis/wiki/Usage)."""
    box = target.container
    parts: list[str | Ref] = [f"{target.ray.temp_dir}:{target.ray.temp_dir}"]
    row = fabric(target.network.fabric)
    # enroot gives containers a /dev of their own (https://github.com/NVIDIA/pyxis/issues/117).
    parts += [f",{device}:{device}" for device in (row.devices if row else ())]
    for mount in mounting.mounts(target):
        parts += [",", *mounting.bind(mount).parts]
    binds = word(Text(tuple(parts)), expression(inside=False))
    names = [
        name
        for name in handover(target).replace("\\\n", " ").split()
        if name not in {"NODE_IP", "NODE_RANK", "NODE_NAME", "NODE_INTERFACE", "CPUS"}
    ]
    options = [
        f"--container-image={image(target)}",
        f"--container-mounts={binds}",
        f"--container-env={','.join(names)}",
        "--container-mount-home" if box.mount_home else "--no-container-mount-home",
        # What setup and prepare install has to go somewhere; the container's own root is a copy.
        "--container-writable" if box.writable or target.setup or target.prepare else "--container-readonly",
        *option_words(box.options),
    ]
    return tuple(Raw(option) for option in options)


def client(target: Target) -> Raw:
    """The words that call the runtime's client."""
    if target.runtime is Runtime.PREFIX:
        return Raw(" ".join(option_words(target.container.prefix)))
    words = target.container.command or (target.runtime.value,)
    return Raw(" ".join(quote(part) for part in words))


def env_prefix(target: Target) -> Raw:
    """The prefix of variables that apptainer, or SingularityCE, puts into the container over the image's own."""
    name = (target.container.command or ("apptainer",))[-1].rpartition("/")[2]
    return Raw("SINGULARITYENV_" if name == "singularity" else "APPTAINERENV_")
