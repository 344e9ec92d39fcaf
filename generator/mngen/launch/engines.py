"""docker and podman: their options, and what a node does before one of them starts a container."""

from __future__ import annotations

from mngen.launch import mounting
from mngen.launch.runtimes import client, option_words
from mngen.launch.sizes import short, to_bytes
from mngen.manifest.fabrics import fabric
from mngen.manifest.model import Runtime, Target, Variant
from mngen.plan import Raw


def _amd_devices(target: Target) -> tuple[str, ...]:
    wanted = target.resources.gpus and target.container.gpu != "none" and target.variant is Variant.ROCM
    return ("/dev/kfd", "/dev/dri") if wanted else ()


def _devices_there(target: Target) -> tuple[Raw, ...]:
    """Lines that name a node without a device; the engine would not start a container, in which a check could."""
    row = fabric(target.network.fabric)
    line = '[[ -e {0} ]] || fail 77 "no {0} here; leave out ${{NODE_NAME}}"'
    return tuple(Raw(line.format(device)) for device in (*_amd_devices(target), *(row.devices if row else ())))


def amd_mask(target: Target) -> str:
    """The mask by which Ray deals out AMD's GPUs, which 2.45 changed (https://github.com/ray-project/ray/pull/51104)."""
    version = target.ray.version
    old = version is not None and tuple(int(part) for part in version.split(".")[:2]) < (2, 45)
    return "ROCR_VISIBLE_DEVICES" if old else "HIP_VISIBLE_DEVICES"


def _amd_groups() -> list[str]:
    """The groups that AMD's devices belong to: ``video``, and ``render``, for which an image may have another number.

    https://github.com/ROCm/ROCm-docker/issues/116, and ROCm's installation guide, group permissions.
    """
    return ["--group-add video", '--group-add "$(stat -c %g /dev/kfd)"']


def options(target: Target) -> tuple[Raw, ...]:
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
    if devices := _amd_devices(target):
        options += [*(f"--device {device}" for device in devices), "--security-opt seccomp=unconfined"]
        options += ["--group-add keep-groups"] if podman else _amd_groups()
    row = fabric(target.network.fabric)
    options += [f"--device {device}" for device in (row.devices if row else ())]
    memlock = dict(target.ulimits).get("memlock")
    if memlock or (row and row.memlock):
        # RDMA pins memory; the engine's default lets a container pin 64 KiB.
        limit = "-1" if memlock in {None, "unlimited"} else str(int(memlock or 0) * 1024)
        options.append(f"--ulimit memlock={limit}:{limit}")
    options += [f"--volume {mounting.bind_word(mount)}" for mount in mounting.mounts(target)]
    # Docker's service does not see a /tmp of the job's own; as a --volume it would make an empty folder in another.
    options.append('--mount "type=bind,source=${JOB_DIR},target=${JOB_DIR}"')
    if gpu_arrays(target):
        options.append('"${gpus[@]}"')
    if shares_nodes(target):
        options.append('"${grant[@]}"')
    options.append('"${handover[@]}"')
    options += list(option_words(box.options))
    return tuple(Raw(option) for option in options)


def gpu_arrays(target: Target) -> bool:
    """Whether the GPUs go into the container as options that the node fills in."""
    wanted = bool(target.resources.gpus) and target.container.gpu != "none"
    return wanted and target.variant is Variant.CUDA and target.runtime.is_engine


def _all_gpus(target: Target) -> tuple[Raw, ...]:
    """On machines of one's own: the GPUs that the starting shell's mask leaves, else every one.

    The same where Slurm is not asked for GPUs; an option of the user's, or whole nodes, may yet make it name some.
    """
    ids = "SLURM_STEP_GPUS:-${SLURM_JOB_GPUS:-%s}" if target.kind == "slurm" else "CUDA_VISIBLE_DEVICES:-%s"
    if target.variant is Variant.ROCM:
        mask = amd_mask(target)
        other = "ROCR_VISIBLE_DEVICES" if mask.startswith("HIP") else "HIP_VISIBLE_DEVICES"
        found = ids % "" if target.kind == "slurm" else f"{mask}:-${{{other}:-}}"
        said = [f"export {mask}=${{{found}}}", f"[[ -z ${{{mask}:-}} ]] || handover+=(--env {mask})"]
        return tuple(Raw(line) for line in said)
    lines = [f"local ids=${{{ids % 'all'}}}"]
    if target.runtime is Runtime.PODMAN or target.container.gpu == "cdi":
        lines.append('for name in ${ids//,/ }; do gpus+=(--device "nvidia.com/gpu=${name}"); done')
    else:
        # The quotes are part of the value: docker reads it as CSV.
        lines.append('[[ ${ids} == all ]] || ids="\\"device=${ids}\\""')
        lines.append('gpus=(--gpus "${ids}")')
    return tuple(Raw(line) for line in lines)


def before(target: Target) -> tuple[Raw, ...]:
    """Lines of a node before its container engine starts: what must be there, and what is the job's."""
    return (*_devices_there(target), *_grant_lines(target), *_gpu_lines(target))


def _gpu_lines(target: Target) -> tuple[Raw, ...]:
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
        lines += [f"export {amd_mask(target)}=${{ids}}", f"handover+=(--env {amd_mask(target)})"]
    elif target.runtime is Runtime.PODMAN or target.container.gpu == "cdi":
        lines.append('for name in ${ids//,/ }; do gpus+=(--device "nvidia.com/gpu=${name}"); done')
    else:
        # The quotes are part of the value: docker reads it as CSV.
        lines.append('gpus=(--gpus "\\"device=${ids}\\"")')
    return tuple(Raw(line) for line in lines)


def _grant_lines(target: Target) -> tuple[Raw, ...]:
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
    engine = target.runtime.is_engine
    return engine and target.kind == "slurm" and target.slurm.fields.get("exclusive") not in {True, "topo"}


def remove_container(target: Target) -> tuple[Raw, ...]:
    """Lines that remove this node's container, should its client have gone before it."""
    name = '"mngen-${JOB_ID}-${ATTEMPT}-${NODE_RANK}"'
    return (
        Raw("# Without its client a container ends by itself, and clears what only its root can remove."),
        Raw("for _ in {1..100}; do [[ ! -e ${JOB_DIR}/r ]] || sleep 0.1; done"),
        Raw(f"{client(target)} rm --force {name} >/dev/null 2>&1 || true"),
    )
