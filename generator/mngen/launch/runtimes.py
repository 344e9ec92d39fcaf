"""How a process gets into the image: the options of each container client.

A runtime sees only what is listed here: the job's own folder, the manifest's mounts, the GPUs, and the
variables that are handed over by name. The manifest's ``env`` needs no option at all, because the
script exports it inside the container, where no client can bend it and no image can override it.
"""

from __future__ import annotations

from mngen.launch import mounting, secret_files
from mngen.launch.layout import continued
from mngen.launch.names import expression, inside_variables, uses_host_ids
from mngen.launch.sizes import short, to_bytes
from mngen.launch.words import quote, word
from mngen.manifest.base_image import split_host
from mngen.manifest.fabrics import fabric
from mngen.manifest.model import Runtime, Target, Variant
from mngen.manifest.text import Ref, Text
from mngen.plan import Raw

_MASKS = {
    Variant.CUDA: ("CUDA_VISIBLE_DEVICES",),
    Variant.ROCM: ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"),
}
_CONTAINED = {Runtime.APPTAINER, Runtime.DOCKER, Runtime.PODMAN, Runtime.PREFIX}


def has_host_role(target: Target) -> bool:
    """Whether each node runs one part on the host and one inside; pyxis and none have a single part."""
    return target.runtime in _CONTAINED


def handover(target: Target) -> Raw:
    """Names of the variables that go into the container."""
    names = ["JOB_ID", "ATTEMPT", "JOB_DIR", "HEAD_IP", "NODE_IP", "NODE_RANK", "NODE_NAME", "NODE_INTERFACE"]
    names += ["PORT_BLOCK", "CLUSTER_NODES", "CPUS"]
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
    options += list(_words(box.options))
    return tuple(Raw(option) for option in options)


def _words(texts: tuple[Text, ...]) -> tuple[Raw, ...]:
    variable = expression(inside=False)
    return tuple(word(text, variable) for text in texts)


def _amd_devices() -> list[str]:
    return ["--device /dev/kfd", "--device /dev/dri", "--security-opt seccomp=unconfined"]


def _amd_groups() -> list[str]:
    """The groups that AMD's devices belong to: ``video``, and ``render``, for which an image may have another number.

    https://github.com/ROCm/ROCm-docker/issues/116, and ROCm's installation guide, group permissions.
    """
    return ["--group-add video", '--group-add "$(stat -c %g /dev/kfd)"']


def docker_options(target: Target) -> tuple[Raw, ...]:
    """Options of ``docker run`` and ``podman run`` that do not depend on the node."""
    box, podman = target.container, target.runtime is Runtime.PODMAN
    options: list[str] = ["--network host"]
    if box.user == "host":
        options.append('--user "$(id -u):$(id -g)"')
        if podman:
            options.append("--userns keep-id")
    if box.pull != "missing":
        options.append(f"--pull {box.pull}")
    if target.resources.shm:
        options.append(f"--shm-size {short(target.resources.shm)}")
    if target.resources.gpus and box.gpu != "none" and target.variant is Variant.ROCM:
        options += _amd_devices()
        options += ["--group-add keep-groups"] if podman else _amd_groups()
    row = fabric(target.network.fabric)
    options += [f"--device {device}" for device in (row.devices if row else ())]
    memlock = dict(target.ulimits).get("memlock")
    if memlock or (row and row.memlock):
        # RDMA pins memory; the engine's default lets a container pin 64 KiB.
        limit = "-1" if memlock in {None, "unlimited"} else str(int(memlock or 0) * 1024)
        options.append(f"--ulimit memlock={limit}:{limit}")
    options += [f"--volume {mounting.bind_word(mount)}" for mount in mounting.mounts(target)]
    options.append('--volume "${JOB_DIR}:${JOB_DIR}"')
    if gpu_arrays(target):
        options.append('"${gpus[@]}"')
    if shares_nodes(target):
        options.append('"${grant[@]}"')
    options.append('"${handover[@]}"')
    options += list(_words(box.options))
    return tuple(Raw(option) for option in options)


def gpu_arrays(target: Target) -> bool:
    """Whether the GPUs go into the container as options that the node fills in."""
    wanted = bool(target.resources.gpus) and target.container.gpu != "none"
    return wanted and target.variant is Variant.CUDA and target.runtime in {Runtime.DOCKER, Runtime.PODMAN}


def _all_gpus(target: Target) -> tuple[Raw, ...]:
    """On machines of one's own: the GPUs that the starting shell's mask leaves, else every one.

    The same where Slurm is not asked for GPUs; an option of the user's, or whole nodes, may yet make it name some.
    """
    ids = "SLURM_STEP_GPUS:-${SLURM_JOB_GPUS:-%s}" if target.kind == "slurm" else "CUDA_VISIBLE_DEVICES:-%s"
    if target.variant is Variant.ROCM:
        said = [f"export HIP_VISIBLE_DEVICES=${{{ids % ''}}}"] if target.kind == "slurm" else []
        said.append("[[ -z ${HIP_VISIBLE_DEVICES:-} ]] || handover+=(--env HIP_VISIBLE_DEVICES)")
        return tuple(Raw(line) for line in said)
    lines = [f"local ids=${{{ids % 'all'}}}"]
    if target.runtime is Runtime.PODMAN or target.container.gpu == "cdi":
        lines.append('for name in ${ids//,/ }; do gpus+=(--device "nvidia.com/gpu=${name}"); done')
    else:
        # The quotes are part of the value: docker reads it as CSV.
        lines.append('[[ ${ids} == all ]] || ids="\\"device=${ids}\\""')
        lines.append('gpus=(--gpus "${ids}")')
    return tuple(Raw(line) for line in lines)


def docker_gpu_lines(target: Target) -> tuple[Raw, ...]:
    """Lines that give the container the job's own GPUs.

    The engine is not in the job's cgroup and would show every GPU of the node, so it gets the job's
    global ids, which Slurm puts in ``SLURM_STEP_GPUS`` (srun manual, output environment variables).
    """
    if not target.resources.gpus or target.container.gpu == "none":
        return ()
    if target.kind != "slurm" or target.slurm.gpu_request.form == "none":
        return _all_gpus(target)
    lines = ["local ids=${SLURM_STEP_GPUS:-${SLURM_JOB_GPUS:-}}"]
    lines.append('[[ -n ${ids} ]] || fail 78 "Slurm does not say which GPUs are this job\'s (SLURM_STEP_GPUS)"')
    if target.variant is Variant.ROCM:
        lines.append("export HIP_VISIBLE_DEVICES=${ids}")
        lines.append("handover+=(--env HIP_VISIBLE_DEVICES)")
    elif target.runtime is Runtime.PODMAN or target.container.gpu == "cdi":
        lines.append('for name in ${ids//,/ }; do gpus+=(--device "nvidia.com/gpu=${name}"); done')
    else:
        # The quotes are part of the value: docker reads it as CSV.
        lines.append('gpus=(--gpus "\\"device=${ids}\\"")')
    return tuple(Raw(line) for line in lines)


def grant_lines(target: Target) -> tuple[Raw, ...]:
    """Lines that set ``grant``, options by which a container keeps to the CPUs and memory of a job on shared nodes.

    docker's daemon is not in the job's cgroup, so it is told what Slurm granted; CPUs are those that the step may use.
    podman has no daemon: without a cgroup of its own the container stays in the job's, which only crun can do
    (https://docs.podman.io/en/latest/markdown/podman-run.1.html, ``--cgroups``).
    """
    if not shares_nodes(target):
        return ()
    if target.runtime is Runtime.PODMAN:
        command = f"{client(target)} info --format '{{{{.Host.OCIRuntime.Name}}}}'"
        return (
            Raw("# With crun the container can stay in the job's cgroup, and so within its CPUs and memory."),
            Raw(f"[[ $({command}) != crun ]] || grant=(--cgroups=disabled)"),
        )
    why = Raw("# The engine is not in the job's cgroup, so it is told which CPUs and how much memory the job has.")
    allowed = Raw("cpus=$(sed -n 's/^Cpus_allowed_list:\\s*//p' /proc/self/status)")
    asked = target.resources.memory
    if asked is not None and asked.per_gpu is not None:  # a number that is known here
        memory = to_bytes(asked.per_gpu) * target.resources.gpus // 1024**2
        return why, Raw("local cpus"), allowed, Raw(f'grant=(--cpuset-cpus "${{cpus}}" --memory {memory}m)')
    return (
        why,
        Raw("local cpus memory=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * CPUS))}"),
        allowed,
        Raw('grant=(--cpuset-cpus "${cpus}")'),
        Raw('((memory == 0)) || grant+=(--memory "${memory}m")'),
    )


def shares_nodes(target: Target) -> bool:
    """Whether a container engine may serve several jobs on a node, so that this one's must keep to its share."""
    engine = target.runtime in {Runtime.DOCKER, Runtime.PODMAN}
    return engine and target.kind == "slurm" and target.slurm.fields.get("exclusive") not in {True, "topo"}


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
        *_words(box.options),
    ]
    return tuple(Raw(option) for option in options)


def remove_container(target: Target) -> tuple[Raw, ...]:
    """Lines that remove this node's container, should its client have gone before it."""
    name = '"mngen-${JOB_ID}-${ATTEMPT}-${NODE_RANK}"'
    return (
        Raw("# Without its client a container ends by itself, and clears what only its root can remove."),
        Raw("for _ in {1..100}; do [[ ! -e ${JOB_DIR}/r ]] || sleep 0.1; done"),
        Raw(f"{client(target)} rm --force {name} >/dev/null 2>&1 || true"),
    )


def client(target: Target) -> Raw:
    """The words that call the runtime's client."""
    if target.runtime is Runtime.PREFIX:
        return Raw(" ".join(_words(target.container.prefix)))
    words = target.container.command or (target.runtime.value,)
    return Raw(" ".join(quote(part) for part in words))


def env_prefix(target: Target) -> Raw:
    """The prefix of variables that apptainer, or SingularityCE, puts into the container over the image's own."""
    name = (target.container.command or ("apptainer",))[-1].rpartition("/")[2]
    return Raw("SINGULARITYENV_" if name == "singularity" else "APPTAINERENV_")
