"""What SkyPilot makes of a manifest's fields, where that is not plain from the task file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mngen.diagnostics import NOTHING_TO_DO, Diagnostic
from mngen.manifest import gpu_names
from mngen.manifest.cloud_names import LOGIN, names_volume
from mngen.manifest.model import Target
from mngen.targets import container_view, machine
from mngen.targets.no_effect import common, no_effect, otherwise, refused, said


def notes(target: Target) -> list[Diagnostic]:
    """Say which fields have no effect on SkyPilot or work otherwise, and refuse what it cannot do."""
    return [
        *common(target, "SkyPilot"),
        *_gpus(target),
        *_sizes(target),
        *_code(target),
        *_mounts(target),
        *container_view.rented(target),
        *_login(target),
        *_retry(target),
    ]


def _gpus(target: Target) -> Iterator[Diagnostic]:
    resources = target.resources
    chosen = target.raw.get("resources")
    alternatives = isinstance(chosen, Mapping) and ("any_of" in chosen or "ordered" in chosen)
    if resources.gpus and not resources.gpu_type and not alternatives:
        why = "SkyPilot asks for GPUs by model, and resources.gpu_type is absent"
        yield refused(target, "resources.gpus", why, "write resources: {gpu_type: h100}, or another model")
    if resources.gpu_memory and not (resources.gpu_type and gpu_names.takes_memory(resources.gpu_type)):
        why = "SkyPilot asks for GPUs by model alone"
        yield no_effect(target, "resources.gpu_memory", why, "resources.gpu_type says which model")


def _sizes(target: Target) -> Iterator[Diagnostic]:
    if target.resources.shm and not machine.image(target):
        why = "without an image the run has the machine's own /dev/shm"
        yield no_effect(target, "resources.shm", why, "name an image, or choose a machine with more memory")


def _code(target: Target) -> Iterator[Diagnostic]:
    code = target.code
    if code is None:
        return
    if code.path is not None:
        what = "SkyPilot copies the folder to ~/sky_workdir, where the run starts"
        yield otherwise(target, "code.path", what, "list what should stay behind in .skyignore")
    if code.to is not None:
        what = "boot.sh makes a link there to ~/sky_workdir, where SkyPilot puts the code"
        yield otherwise(target, "code.to", what, "the image must have nothing at that path")


def _mounts(target: Target) -> Iterator[Diagnostic]:
    for index, mount in enumerate(target.mounts):
        field = f"mounts.{index}"
        path = machine.home_path(mount.source)
        if path is None:
            why = "a machine that SkyPilot rents does not have this path; the mount is left out"
            yield no_effect(
                target, f"{field}.source", why, "give this target mounts of its own, such as a bucket (s3://…)"
            )
        elif names_volume(mount.source):
            what = f"{path} is taken for the volume of that name, which SkyPilot has on Kubernetes and RunPod"
            hint = f"make it with `sky volumes apply`; a folder beside the manifest is ./{path}"
            yield otherwise(target, f"{field}.source", what, hint)
            if mount.shared:
                why = "the volume's own access mode decides that"
                yield no_effect(target, f"{field}.shared", why, "several nodes need access_mode: ReadWriteMany")
            if mount.mode == "ro":
                yield no_effect(target, f"{field}.mode", "a volume can be written where it can be", NOTHING_TO_DO)
        elif path.startswith(machine.BUCKETS):
            if mount.shared:
                yield no_effect(target, f"{field}.shared", "a bucket is the same on all nodes", NOTHING_TO_DO)
        else:
            what = "SkyPilot copies it from the machine that runs sky to each node"
            hint = "for large data or results use a bucket (s3://…), which is mounted"
            yield otherwise(target, f"{field}.source", what, hint)
            if mount.shared:
                why = "each node gets a copy of its own, and what one writes the others do not see"
                yield no_effect(target, f"{field}.shared", why, hint)
            if mount.mode == "ro":
                yield no_effect(target, f"{field}.mode", "the copy on the machine can be written", NOTHING_TO_DO)


def _login(target: Target) -> Iterator[Diagnostic]:
    for name, value in target.env:
        if name in LOGIN and value.literal is None:
            why = "SkyPilot logs in before a node exists, so the value must be known when the task is rendered"
            yield refused(target, f"env.{name}", why, "write the value itself, or name all three under secrets")


def _retry(target: Target) -> Iterator[Diagnostic]:
    if target.retry and said(target, "retry.exit_codes"):
        what = "a managed job is started again after any failure, whatever its status"
        hint = "raw: {resources: {job_recovery: {recover_on_exit_codes: […]}}} names those that count against no limit"
        yield otherwise(target, "retry.exit_codes", what, hint)
