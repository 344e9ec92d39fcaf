"""Counts of GPUs, tasks and nodes that sbatch refuses together.

``_test_gres_cnt`` and what ``gres_job_state_validate`` does before it (https://github.com/SchedMD/slurm, 26.05,
src/interfaces/gres.c), which sbatch itself calls since 21.08 (src/common/slurm_opt.c).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mngen.manifest.whole_numbers import whole_number

_TOTAL, _PER_NODE, _PER_TASK = "--gpus", "--gpus-per-node", "--gpus-per-task"
_NODES, _TASKS, _TASKS_PER_NODE = "--nodes", "--ntasks", "--ntasks-per-node"


def gpu_count_problems(options: Mapping[str, str | None]) -> list[str]:
    """Return what sbatch says first of a job's counts, if anything. With ``--clusters`` it does not look at them."""
    requests = {name: options.get(name) or "" for name in (_TOTAL, _PER_NODE, _PER_TASK) if options.get(name)}
    models = {text.rpartition(":")[0] for text in requests.values()}
    several = len(models) != 1 or any("," in text for text in requests.values())
    if several or "--clusters" in options:
        return []  # each model is counted by itself
    told = {name: options.get(name) or "" for name in (_NODES, _TASKS, _TASKS_PER_NODE)}
    told |= {name: text.rpartition(":")[2] for name, text in requests.items()}
    counts = {name: number for name, text in told.items() if (number := whole_number(text))}
    return list(_problems(counts, options))[:1]


def _problems(counts: Mapping[str, int], options: Mapping[str, str | None]) -> Iterator[str]:
    """Yield what does not fit, in the order in which Slurm looks at it."""
    yield from _quotient(counts, _TOTAL, _PER_NODE, "node", _given(counts, _NODES))
    yield from _quotient(counts, _TOTAL, _PER_TASK, "task", _tasks(counts, options))
    yield from _quotient(counts, _PER_NODE, _PER_TASK, "task", _given(counts, _TASKS_PER_NODE))
    if counts.get(_TOTAL, 0) and counts[_TOTAL] < counts.get(_NODES, 0):
        yield f"{_named(counts, _TOTAL)} is less than {_named(counts, _NODES)}, and each node must have one"


def _quotient(
    counts: Mapping[str, int], whole: str, part: str, what: str, asked: tuple[int, str] | None
) -> Iterator[str]:
    if whole not in counts or part not in counts:
        return
    number, rest = divmod(counts[whole], counts[part])
    if rest:
        yield f"{_named(counts, whole)} is no multiple of {_named(counts, part)}"
    elif asked is not None and asked[0] != number:
        made = f"{number} {what}{'s' if number > 1 else ''}"
        yield f"{_named(counts, whole)} and {_named(counts, part)} make {made}, which contradicts {asked[1]}"


def _tasks(counts: Mapping[str, int], options: Mapping[str, str | None]) -> tuple[int, str] | None:
    """Return how many tasks a job has, and by what; of a number of nodes one each, where nothing else is said."""
    if _TASKS in options:
        return _given(counts, _TASKS)
    if _NODES not in counts:
        return None
    if _TASKS_PER_NODE in options:
        if _TASKS_PER_NODE not in counts:
            return None
        words = f"{_named(counts, _NODES)} with {_named(counts, _TASKS_PER_NODE)}"
        return counts[_NODES] * counts[_TASKS_PER_NODE], words
    return None if "--cpus-per-task" in options else _given(counts, _NODES)


def _given(counts: Mapping[str, int], name: str) -> tuple[int, str] | None:
    return (counts[name], _named(counts, name)) if name in counts else None


def _named(counts: Mapping[str, int], name: str) -> str:
    return f"{name}={counts[name]}"
