"""What Slurm refuses about options that are asked for together.

The rules are the ``_validate_*`` functions of src/common/slurm_opt.c (26.05), with the release that
made each one fatal. https://github.com/SchedMD/slurm
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mngen.manifest.whole_numbers import whole_number

Given = Sequence[tuple[str, "str | None"]]


class _Exclusive(Struct, frozen=True):
    """Options of which at most one may be given, since a release (``None``: always)."""

    names: tuple[str, ...]
    since: tuple[int, int] | None = None
    why: str = "exclude each other"


_EXCLUSIVE = (
    _Exclusive(("--mem", "--mem-per-cpu", "--mem-per-gpu")),
    _Exclusive(("--core-spec", "--thread-spec")),
    _Exclusive(("--exclusive", "--oversubscribe")),
    _Exclusive(("--cpus-per-task", "--cpus-per-gpu"), since=(22, 5)),
    _Exclusive(("--ntasks-per-gpu", "--gpus-per-task")),
    _Exclusive(("--ntasks-per-gpu", "--gpus-per-socket")),
    _Exclusive(("--ntasks-per-gpu", "--ntasks-per-node")),
    _Exclusive(("--ntasks-per-gpu", "--tres-per-task")),
    _Exclusive(("--hint", "--ntasks-per-core")),
    _Exclusive(("--hint", "--threads-per-core")),
    _Exclusive(("--hint", "--extra-node-info")),
    _Exclusive(("--hint", "--cpu-bind")),
    _Exclusive(("--requeue", "--no-requeue"), why="contradict each other"),
    _Exclusive(("--spread-segments", "--consolidate-segments"), why="contradict each other"),
)


def clashes(given: Given, version: str | None = None) -> list[str]:
    """List the contradictions among Slurm options ``given`` by long name; ``version`` such as ``24.11``.

    Without a version the rules of every release hold, since a file outlives the cluster's next upgrade.
    """
    options = dict(given)
    release = _release(version)
    problems = [_told(rule, options) for rule in _EXCLUSIVE if _holds(rule, options, release)]
    for check in (_gpu_twice, _tres_cpus, _segment, _hetjob):
        problems.extend(check(options, release))
    return problems


def _holds(rule: _Exclusive, options: dict[str, str | None], release: tuple[int, int] | None) -> bool:
    if rule.since is not None and release is not None and release < rule.since:
        return False
    return sum(name in options for name in rule.names) > 1


def _told(rule: _Exclusive, options: dict[str, str | None]) -> str:
    return f"{' and '.join(name for name in rule.names if name in options)} {rule.why}"


def _gpu_twice(options: dict[str, str | None], release: tuple[int, int] | None) -> list[str]:
    gres = options.get("--gres") or ""
    asks_gpu = any(part.removeprefix("gres/").split(":")[0].split("=")[0] == "gpu" for part in gres.split(","))
    if not asks_gpu or "--gpus-per-node" not in options or (release is not None and release < (26, 5)):
        return []
    return ["--gres=gpu and --gpus-per-node exclude each other (Slurm 26.05 ends the job)"]


def _tres_cpus(options: dict[str, str | None], release: tuple[int, int] | None) -> list[str]:
    if "cpu" not in (options.get("--tres-per-task") or "") or (release is not None and release < (23, 11)):
        return []
    return [
        f"--tres-per-task with cpu and {name} exclude each other"
        for name in ("--cpus-per-task", "--cpus-per-gpu")
        if name in options
    ]


def _segment(options: dict[str, str | None], _release: tuple[int, int] | None) -> list[str]:
    segment, nodes = (whole_number(options.get(name) or "") for name in ("--segment", "--nodes"))
    if not segment or nodes is None or nodes <= segment:
        return []
    return [f"--segment={segment} does not divide --nodes={nodes}"] if nodes % segment else []


def _hetjob(options: dict[str, str | None], _release: tuple[int, int] | None) -> list[str]:
    """Slurm reads a directive that holds one of these words as the start of another job component."""
    return [
        f"{name}: `{value}` holds `{word}`, which Slurm reads as a separator of job components"
        for name, value in options.items()
        for word in ("hetjob", "packjob")
        if value is not None and word in value
    ]


def _release(version: str | None) -> tuple[int, int] | None:
    if version is None:
        return None
    major, minor = (whole_number(part) for part in f"{version}.".split(".")[:2])
    return None if major is None or minor is None else (major, minor)
