"""Planning of a step: which options, which nodes, how many tasks, with which environment."""

import os
import time
from typing import Any

from simlib import hostlist, pyxis, slurm_env, slurm_tables
from simlib.options import Parsed, RefusedError
from simlib.place import Sim

UNAVAILABLE = "Requested node configuration is not available"


def _select_nodes(parsed: Parsed, job: dict[str, Any], wanted: int | None) -> list[str]:
    nodes = list(job["nodes"])
    listed = hostlist.expand(parsed.last("nodelist") or "")
    excluded = hostlist.expand(parsed.last("exclude") or "")
    for name in listed:
        if name not in nodes:
            raise RefusedError(f"Unable to create step for job {job['id']}: {UNAVAILABLE}")
    nodes = [name for name in nodes if name not in excluded]
    count = wanted or len(listed) or len(nodes)
    chosen = listed + [name for name in nodes if name not in listed]
    if count > len(chosen) or count == 0:
        raise RefusedError(f"Unable to create step for job {job['id']}: {UNAVAILABLE}")
    return [name for name in job["nodes"] if name in chosen[:count]]


def _layout(parsed: Parsed, job: dict[str, Any]) -> tuple[list[str], list[str]]:
    text = parsed.last("nodes")
    low = text.partition("-")[0] if text else None
    if low is not None and not low.isdecimal():
        raise RefusedError(f"Invalid node count: {text}")
    wanted = int(low) if low else None
    ntasks = parsed.whole("ntasks")
    per_node = parsed.whole("ntasks-per-node")
    if ntasks is not None and wanted is not None and ntasks < wanted:
        os.write(
            2, f"srun: warning: can't run {ntasks} processes on {wanted} nodes, setting nnodes to {ntasks}\n".encode()
        )
        wanted = ntasks
    if ntasks is not None and wanted is None and not parsed.has("nodelist"):
        wanted = min(ntasks, len(job["nodes"]))
    nodes = _select_nodes(parsed, job, wanted)
    per_node = per_node or (job["tasks_per_node"] if ntasks is None else None)
    if ntasks is None:
        ntasks = len(nodes) * (per_node or 1)
    base, extra = divmod(ntasks, len(nodes))
    node_of = [name for place, name in enumerate(nodes) for _ in range(base + (place < extra))]
    if per_node is not None and ntasks > per_node * len(nodes):
        raise RefusedError(f"Unable to create step for job {job['id']}: More processors requested than permitted")
    return nodes, node_of


def _cpus(sim: Sim, parsed: Parsed, job: dict[str, Any]) -> tuple[int, bool]:
    given = parsed.whole("cpus-per-task")
    version = sim.version("slurm")
    if given is None and not (22, 5) <= version < (23, 11):
        given = int(os.environ.get("SLURM_CPUS_PER_TASK", "0")) or None
    if given is None:
        given = int(os.environ.get("SRUN_CPUS_PER_TASK", "0")) or None
    if given is not None and given > job["cpus_on_node"]:
        raise RefusedError(f"Unable to create step for job {job['id']}: {UNAVAILABLE}")
    return (given or 1, given is not None)


def _gpus(sim: Sim, parsed: Parsed, job: dict[str, Any]) -> int:
    gres = parsed.last("gres")
    if gres == "none":
        if sim.version("slurm") < (23, 2) and not job["gpus"]:
            raise RefusedError(
                f"Unable to create step for job {job['id']}: Invalid generic resource (gres) specification"
            )
        return 0
    asked = [parsed.last("gpus-per-node"), parsed.last("gpus"), *(_of_gres(gres) if gres else ())]
    value = next((text for text in asked if text), None)
    last = (value or "").rpartition(":")[2]
    if value is not None and (not last.isdecimal() or int(last) > job["gpus"]):
        raise RefusedError(f"Unable to create step for job {job['id']}: Invalid generic resource (gres) specification")
    return int(job["gpus"] if value is None else last)


def _of_gres(text: str) -> list[str]:
    """The GPUs of `--gres`, whose items are `gpu`, `gpu:2`, `gpu:a100` and `gpu:a100:2`; other resources have none."""
    found = [item for item in text.split(",") if item.partition(":")[0] == "gpu"]
    return ["1" if not item.rpartition(":")[2].isdecimal() else item for item in found] or ["0"]


def _exported(parsed: Parsed) -> dict[str, str]:
    """The environment that `--export` (or its inherited form) lets through."""
    rule = parsed.last("export") or os.environ.get("SLURM_EXPORT_ENV") or "ALL"
    everything = {os.fsdecode(k): os.fsdecode(v) for k, v in os.environb.items()}
    slurm = {name: value for name, value in everything.items() if name.startswith(("SLURM_", "SPANK_"))}
    items = rule.split(",")
    env = everything if "ALL" in items else slurm
    for item in items:
        name, equals, value = item.partition("=")
        if equals:
            env[name] = value
        elif name not in ("ALL", "NONE", "NIL") and name in everything:
            env[name] = everything[name]
    return env


def _streams(parsed: Parsed, node_of: list[str], job: str, step: str, name: str) -> dict[int, int]:
    pattern = parsed.last(name)
    if pattern is None:
        return {}
    found: dict[int, int] = {}
    for rank, node in enumerate(node_of):
        path = "/dev/null" if pattern == "none" else pattern
        for mark, value in (
            ("%t", str(rank)),
            ("%N", node),
            ("%n", str(node_of.index(node))),
            ("%j", job),
            ("%s", step),
        ):
            path = path.replace(mark, value)
        try:
            found[rank] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise RefusedError(f"Could not open stdout file {path}: {error.strerror}") from error
    return found


def plan(sim: Sim, argv: list[str]) -> dict[str, Any] | None:
    """All that is needed to start a step; None where only the version was asked."""
    parsed = slurm_tables.srun(sim.version("slurm"), pyxis=sim.config["slurm"]["pyxis"]).parse(argv)
    if parsed.has("version"):
        print(f"slurm {sim.config['slurm']['version']}")
        return None
    job_id = parsed.last("jobid") or os.environ.get("SLURM_JOB_ID") or os.environ.get("SLURM_JOBID")
    if not job_id:
        raise RefusedError("Unable to allocate resources: no job (this simulation has no interactive allocations)")
    job = sim.peek(f"job-{job_id}")
    if job.get("state") != "RUNNING":
        raise RefusedError(f"Unable to confirm allocation for job {job_id}: Invalid job id specified")
    if not parsed.words:
        raise RefusedError("No command given to execute.")
    clash = slurm_tables.clashes(parsed.options, sim.version("slurm"))
    if clash is None and "SLURM_GPUS_PER_NODE" in os.environ and sim.version("slurm") >= (26, 5):
        clash = slurm_tables.clashes({**parsed.options, "gpus-per-node": [""]}, sim.version("slurm"))
    if clash:
        raise RefusedError(clash)
    container = pyxis.read(parsed)
    nodes, node_of = _layout(parsed, job)
    cpus, cpus_given = _cpus(sim, parsed, job)
    gpus = _gpus(sim, parsed, job)
    with sim.locked(f"job-{job_id}") as data:
        number = str(data["next_step"])
        data["next_step"] += 1
    step = {
        "id": number,
        "nodes": nodes,
        "node_of": node_of,
        "ntasks": len(node_of),
        "cpus": cpus,
        "cpus_given": cpus_given,
        "gpus": gpus,
        "all_gpus": job["gpus"],
    }
    base = _exported(parsed)
    stdin = parsed.last("input", "all")
    return {
        **step,
        "job": job_id,
        "argv": parsed.words,
        "envs": [{**base, **slurm_env.task(sim.config, job, step, rank)} for rank in range(len(node_of))],
        "cwd": parsed.last("chdir") or os.getcwd(),
        "kill_on_bad_exit": parsed.has("kill-on-bad-exit") and parsed.last("kill-on-bad-exit") != "0",
        "wait": parsed.whole("wait") or 0,
        "label": parsed.has("label"),
        "overlap": parsed.has("overlap") or "SLURM_OVERLAP" in os.environ,
        "stdin": {"none": None, "all": "all"}.get(stdin or "all", 0),
        "outputs": _streams(parsed, node_of, job_id, number, "output"),
        "errors": _streams(parsed, node_of, job_id, number, "error"),
        "pyxis": container,
    }


def claim(sim: Sim, step: dict[str, Any]) -> None:
    """Register the step; a step that does not overlap waits for nodes in use, here only a moment."""
    deadline = time.monotonic() + sim.config["slurm"]["busy_wait"]
    told = False
    while True:
        with sim.locked(f"steps-{step['job']}") as steps:
            busy = [
                other
                for other in steps.values()
                if set(other.get("nodes", [])) & set(step["nodes"]) and not _share(sim, other, step)
            ]
            if not busy:
                steps[step["id"]] = {
                    "nodes": step["nodes"],
                    "overlap": step["overlap"],
                    "gpus": step["gpus"],
                    "tasks": {},
                }
                return
        if not told:
            os.write(
                2,
                f"srun: Job {step['job']} step creation temporarily disabled, retrying (Requested nodes are busy)\n".encode(),
            )
            told = True
        if time.monotonic() > deadline:
            sim.record("refused", program="srun", why="nodes busy: a step without --overlap")
            raise RefusedError("the nodes are busy and the real srun would wait for ever: --overlap is missing")
        time.sleep(0.05)


def _share(sim: Sim, other: dict[str, Any], step: dict[str, Any]) -> bool:
    # The release notes of 22.05: until then --overlap let steps share CPUs only.
    if sim.version("slurm") < (22, 5) and other["gpus"] + step["gpus"] > step["all_gpus"]:
        return False
    if sim.version("slurm") < (21, 8):
        return bool(other["overlap"] and step["overlap"])
    return bool(other["overlap"] or step["overlap"])


def release(sim: Sim, step: dict[str, Any]) -> None:
    """The step has ended."""
    with sim.locked(f"steps-{step['job']}") as steps:
        steps.pop(step["id"], None)
