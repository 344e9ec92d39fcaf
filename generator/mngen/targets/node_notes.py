"""Remarks on fields that mean nothing on a cluster's own nodes or on machines that a person starts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from mngen.diagnostics import NOTHING_TO_DO, Diagnostic, Severity
from mngen.manifest.judging.finding import graded
from mngen.manifest.judging.slurm_options import raw_option
from mngen.manifest.model import Code, Container, Runtime, Target
from mngen.manifest.text import spelled
from mngen.targets.container_view import unseen
from mngen.targets.no_effect import logs, no_effect, otherwise, outside, said, token

_UNMOUNTED: Mapping[Runtime, str] = {
    Runtime.NONE: "without a container nothing is mounted",
    Runtime.PREFIX: "what is mounted is up to container.prefix",
}
"""Runtimes with which nothing is mounted, and why."""

_ELSEWHERE = "right where it comes from the top level, for other targets; else remove it"
_NO_CONTAINER = frozenset({"command", "options", "user", "clean_env", "writable", "mount_home", "pull", "gpu"})
_UNUSED: Mapping[Runtime, frozenset[str]] = {
    Runtime.NONE: _NO_CONTAINER | {"prefix"},
    Runtime.PREFIX: _NO_CONTAINER,
    Runtime.APPTAINER: frozenset({"prefix", "user", "pull"}),
    Runtime.DOCKER: frozenset({"prefix", "writable", "mount_home"}),
    Runtime.PODMAN: frozenset({"prefix", "writable", "mount_home"}),
    Runtime.PYXIS: frozenset({"command", "prefix", "user", "pull"}),
}
"""Fields of ``container`` that a runtime has nothing for."""
_FIXED: Mapping[str, tuple[str, str]] = {
    "expose": ("nothing stands between the nodes and their network", "reach a port through ssh -L"),
    "resources.disk": ("the machines have the disk that they have", _ELSEWHERE),
    "resources.gpu_memory": ("the machines have the GPUs that they have", "resources.gpu_type says which"),
}
_SLURM: Mapping[str, tuple[str, str]] = {
    "resources.disk": ("Slurm knows a node's disk by another name", "slurm: {tmp: 500G} asks for local disk"),
    "resources.gpu_memory": ("Slurm knows GPUs by their type", "slurm: {gpu_request: {type: …}} asks for one"),
}
_MANUAL: Mapping[str, tuple[str, str]] = {
    "slurm": ("no scheduler starts these machines", _ELSEWHERE),
    "resources.memory": ("nothing limits memory on machines that are there already", _ELSEWHERE),
    "on_time_limit": ("these machines have no time limit", _ELSEWHERE),
    "retry": ("a person starts these machines' scripts", _ELSEWHERE),
}


def slurm(target: Target) -> list[Diagnostic]:
    """Say which fields have no effect on Slurm."""
    return [
        *_said(target, {**_FIXED, **_SLURM}),
        *_model(target),
        *_few_cpus(target),
        *_code(target),
        *_mounts(target),
        *_container(target),
        *_fabric(target),
        *unseen(target),
        *outside(target),
    ]


def manual(target: Target) -> list[Diagnostic]:
    """Say which fields have no effect on hand-started machines, and refuse what cannot be done there."""
    return [
        *_said(target, {**_FIXED, **_MANUAL}),
        *_code(target),
        *_mounts(target),
        *_container(target),
        *_fabric(target),
        *unseen(target),
        *_secrets(target),
        *logs(target),
        *outside(target),
        *token(target, "every machine is started on its own"),
    ]


def _said(target: Target, table: Mapping[str, tuple[str, str]]) -> Iterator[Diagnostic]:
    for path, (why, hint) in table.items():
        if said(target, path):
            yield no_effect(target, path, why, hint)


def _model(target: Target) -> Iterator[Diagnostic]:
    """A model that nothing of the job asks for: a partition has its own GPUs, and a feature may name them."""
    asked = target.slurm.gpu_request.type or any(target.slurm.fields.get(name) for name in ("partition", "constraint"))
    if said(target, "resources.gpu_type") and target.resources.gpus and not asked:
        what = "it is compared with the image, but Slurm is not asked for it"
        hint = "slurm: {gpu_request: {type: …}} asks for a model by the site's own name for it; so may slurm.constraint"
        yield otherwise(target, "resources.gpu_type", what, hint)


def _few_cpus(target: Target) -> Iterator[Diagnostic]:
    """A job with GPUs that says nothing of CPUs: sbatch(1) gives a task one where the site sets nothing for a GPU.

    Frameworks ask Ray for a CPU beside each GPU, and wait (``RayResourcePool``, verl/single_controller/ray/base.py).
    """
    resources = target.resources
    options = ("exclusive", "mincpus", "cpus-per-gpu", "cpus-per-task")
    whole = target.slurm.fields.get("exclusive")
    if not resources.gpus or resources.cpus or whole:
        return
    if not any(raw_option(target, f"--{name}") for name in options):
        what = "Slurm gives as many CPUs as the site sets for a GPU, or one for all of them where it sets nothing"
        hint = "right if the site sets them; else write resources: {cpus: N}, or slurm: {exclusive: true}"
        yield otherwise(target, "resources.gpus", what, hint)


def _starts_in(target: Target, code: Code) -> bool:
    """Tell whether the job starts in a folder that would hold the code, and that nothing else puts there."""
    if target.workdir is None or code.to is None:
        return False
    folder = PurePosixPath(spelled(target.workdir))
    mounted = any(folder.is_relative_to(mount.place) for mount in target.mounts)
    return folder.is_relative_to(code.to) and not mounted


def _code(target: Target) -> Iterator[Diagnostic]:
    code, mounted = target.code, target.runtime not in _UNMOUNTED
    if code is None:
        return
    if code.git is not None:
        why = "nothing clones a repository on these machines"
        where = "code: {path: …}" if mounted else "its folder in workdir"
        said_of_it = no_effect(target, "code", why, f"clone it once, and write {where}")
        yield graded(Severity.WARNING, said_of_it) if _starts_in(target, code) else said_of_it
    elif code.to is None:
        why = "without code.to the job starts in the folder that it is submitted from"
        hint = "right in its folder; else write workdir"
        if mounted:
            hint = "write code.to, where it is mounted, and the same as workdir, where the driver starts"
        if target.runtime.is_engine:
            why = "without code.to the container has none of it, and starts in the image's own folder"
        yield no_effect(target, "code", why, hint)
    elif not mounted and not _same(code.path or "", code.to):
        hint = "give this target the folder that its nodes have: workdir: PATH and code: {path: PATH, to: PATH}"
        yield no_effect(target, "code.path", f"{_UNMOUNTED[target.runtime]}, so nothing makes {code.to}", hint)
    elif target.runtime.is_engine and not target.workdir:
        what = "the driver does not start there, but in the image's own folder"
        yield otherwise(target, "code.to", what, f"write workdir: {code.to}, unless its command has whole paths")


def _mounts(target: Target) -> Iterator[Diagnostic]:
    if target.runtime not in _UNMOUNTED:
        return
    for index, mount in enumerate(target.mounts):
        if not _same(spelled(mount.source), mount.place):
            why = f"{_UNMOUNTED[target.runtime]}, so nothing makes {mount.place}"
            hint = "write mounts: [] and the nodes' own paths for this target"
            if target.runtime is Runtime.PREFIX:
                hint = "write mounts: [] for this target, and an option of the prefix's own in container.prefix"
            yield no_effect(target, f"mounts.{index}", why, hint)


def _container(target: Target) -> Iterator[Diagnostic]:
    runtime = target.runtime
    why, hint = f"runtime {runtime.value} has nothing like it", _ELSEWHERE
    if runtime is Runtime.NONE:
        why, hint = (
            "without a container nothing reads it",
            "write runtime: with what starts the container; else remove it",
        )
    elif runtime is Runtime.PREFIX:
        why, hint = "what is started is up to container.prefix", "write it as an option there, or remove it"
    unset = Container()
    for name in () if target.container == unset else sorted(_UNUSED[runtime], key=Container.__struct_fields__.index):
        if getattr(target.container, name) != getattr(unset, name):
            yield no_effect(target, f"container.{name}", why, hint)
    if runtime is Runtime.PYXIS and target.container.clean_env:
        what = "srun hands the node's environment over all the same, and only the image's own variables win over it"
        yield otherwise(target, "container.clean_env", what, "list what has to go in unset_env")


def _same(source: str, place: str) -> bool:
    """Whether what would be mounted is there already."""
    return posixpath.normpath(source) == posixpath.normpath(place)


def _fabric(target: Target) -> Iterator[Diagnostic]:
    if target.network.fabric == "slingshot" and target.runtime.is_engine:
        what = "devices and libraries of Slingshot are not passed to containers"
        yield otherwise(target, "network.fabric", what, "pass them by container.options and mounts, as your site says")


def _secrets(target: Target) -> Iterator[Diagnostic]:
    if target.runtime is not Runtime.NONE:
        return
    for secret in target.secrets:
        if not secret.required and secret.file is None:
            why = "the job sees the shell's own variables, this one too if it is set"
            yield no_effect(target, f"secrets.{secret.name}", why, NOTHING_TO_DO)
