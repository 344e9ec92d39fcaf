"""`sbatch`: options from three places, the job's entry, and the request to run it."""

import os
import re
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import Any

from simlib import hostlist, slurm_tables, wire
from simlib.options import Parsed, RefusedError, Table
from simlib.place import Sim

INPUT_VARIABLES = """ACCOUNT ACCTG_FREQ ARRAY_INX=array BATCH CLUSTERS CONSTRAINT CONTAINER CORE_SPEC CPUS_PER_GPU
DELAY_BOOT DISTRIBUTION ERROR EXCLUSIVE EXPORT GET_USER_ENV GPU_BIND GPU_FREQ GPUS GPUS_PER_NODE GPUS_PER_TASK GRES
GRES_FLAGS HINT IGNORE_PBS INPUT JOB_NAME MEM_BIND MEM_PER_CPU MEM_PER_GPU MEM_PER_NODE=mem NETWORK NO_KILL NO_REQUEUE
OPEN_MODE OUTPUT OVERCOMMIT PARTITION POWER PROFILE QOS REQ_SWITCH=switches REQUEUE RESERVATION SIGNAL SPREAD_JOB
THREAD_SPEC THREADS_PER_CORE TIMELIMIT=time USE_MIN_NODES WAIT WAIT_ALL_NODES WCKEY"""


def directives(text: str, table: Table) -> dict[str, list[str]]:
    """Options of the `#SBATCH` lines before the first command."""
    options: dict[str, list[str]] = {}
    for line in text.splitlines()[1:]:
        if line.startswith("#SBATCH"):
            if "hetjob" in line or "packjob" in line:
                raise RefusedError(f"Invalid directive found in batch script: {line}")
            words = shlex.split(line[len("#SBATCH") :], comments=True)
            parsed = table.parse(words)
            if parsed.words:
                raise RefusedError(f"Invalid directive found in batch script: {line}")
            options.update(parsed.options)
        elif line.strip() and not line.lstrip().startswith("#"):
            break
    return options


def _from_environment() -> dict[str, list[str]]:
    found = {}
    for item in INPUT_VARIABLES.split():
        name, _, option = item.partition("=")
        value = os.environ.get("SBATCH_" + name)
        if value is not None:
            found[option or name.lower().replace("_", "-")] = [value]
    return found


def _pattern(text: str, job: dict[str, Any]) -> str:
    marks = {
        "%j": job["id"],
        "%J": job["id"],
        "%A": job["array_job"],
        "%a": job["array_task"],
        "%x": job["name"],
        "%N": job["nodes"][0],
        "%n": "0",
        "%t": "0",
        "%s": "batch",
        "%u": "root",
        "%%": "%",
    }
    out, rest = "", text
    while rest:
        step = next((mark for mark in marks if rest.startswith(mark)), rest[0])
        out += marks.get(step, step)
        rest = rest[len(step) :]
    return os.path.join(job["chdir"], out)


def signal_request(text: str | None) -> dict[str, Any] | None:
    """`[B:]NAME[@SECONDS]` as number and addressee."""
    if not text:
        return None
    target, _, rest = text.rpartition(":")
    name = rest.partition("@")[0].removeprefix("SIG")
    number = int(name) if name.isdecimal() else int(getattr(signal, "SIG" + name, 0))
    if not 0 < number < signal.NSIG:
        raise RefusedError("Invalid --signal specification")
    return {"number": number, "batch": "B" in target}


def _nodes(sim: Sim, parsed: Parsed) -> list[str]:
    every = [node["name"] for node in sim.config["nodes"]]
    excluded = hostlist.expand(parsed.last("exclude") or "")
    listed = hostlist.expand(parsed.last("nodelist") or "")
    usable = [name for name in every if name not in excluded]
    if any(name not in usable for name in listed):
        raise RefusedError("Batch job submission failed: Requested node configuration is not available")
    per_node, ntasks = parsed.whole("ntasks-per-node") or 1, parsed.whole("ntasks") or 1
    low = (parsed.last("nodes") or "0").partition("-")[0]
    if not low.isdecimal():
        raise RefusedError(f"invalid node count `{low}'")
    wanted = int(low) or max(len(listed), -(-ntasks // per_node))
    chosen = (listed + [name for name in usable if name not in listed])[:wanted]
    if len(chosen) < wanted:
        raise RefusedError("Batch job submission failed: Requested node configuration is not available")
    return [name for name in every if name in chosen]


def _gpus(parsed: Parsed, nodes: list[str]) -> int:
    value = parsed.last("gpus-per-node")
    if value is not None:
        return _counted(value)
    for item in (parsed.last("gres") or "").split(","):
        if item.startswith("gpu"):
            last = item.rpartition(":")[2]
            return int(last) if last.isdecimal() else 1
    value = parsed.last("gpus")
    return _counted(value) // len(nodes) if value is not None else 0


def _counted(text: str) -> int:
    """The number of `a100:4`."""
    last = text.rpartition(":")[2]
    if not last.isdecimal():
        raise RefusedError("Invalid generic resource (gres) specification")
    return int(last)


def _megabytes(text: str) -> str:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?[KMGT]?B?", text, re.IGNORECASE):
        raise RefusedError("Invalid --mem specification")
    text = text.upper().removesuffix("B")
    units = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}
    return str(int(float(text[:-1]) * units[text[-1].upper()])) if text[-1].upper() in units else text


def _job_variables(sim: Sim, parsed: Parsed, nodes: list[str]) -> dict[str, str]:
    env = {}
    per_node = parsed.last("ntasks-per-node")
    ntasks = parsed.last("ntasks") or (str(int(per_node) * len(nodes)) if per_node else None)
    if ntasks:
        env.update(SLURM_NTASKS=ntasks, SLURM_NPROCS=ntasks)
    plain = {
        "ntasks-per-node": "SLURM_NTASKS_PER_NODE",
        "cpus-per-task": "SLURM_CPUS_PER_TASK",
        "gpus-per-node": "SLURM_GPUS_PER_NODE",
        "gpus": "SLURM_GPUS",
        "account": "SLURM_JOB_ACCOUNT",
        "qos": "SLURM_JOB_QOS",
        "reservation": "SLURM_JOB_RESERVATION",
    }
    env.update({name: parsed.last(option) or "" for option, name in plain.items() if parsed.has(option)})
    if parsed.has("mem"):
        env["SLURM_MEM_PER_NODE"] = _megabytes(parsed.last("mem") or "")
    if sim.version("slurm") >= (23, 2):
        env["SLURM_JOB_START_TIME"] = str(int(time.time()))
        env["SLURM_JOB_END_TIME"] = str(int(time.time()) + 3600)
    return env


def _submit_env(parsed: Parsed) -> tuple[dict[str, str], dict[str, str]]:
    rule = parsed.last("export") or "ALL"
    everything = {os.fsdecode(k): os.fsdecode(v) for k, v in os.environb.items()}
    slurm = {name: value for name, value in everything.items() if name.startswith(("SLURM_", "SPANK_"))}
    if rule in ("NONE", "NIL"):
        names = ("HOME", "USER", "LOGNAME", "SHELL", "PATH", "BASH_FUNC_module%%")
        login = {name: everything[name] for name in names if name in everything}
        return {**slurm, **login}, {"SLURM_EXPORT_ENV": rule}
    items = rule.split(",")
    env = dict(everything) if "ALL" in items else slurm
    for item in items:
        name, equals, value = item.partition("=")
        if equals or (name in everything and name != "ALL"):
            env[name] = value if equals else everything[name]
    return env, {} if rule == "ALL" else {"SLURM_EXPORT_ENV": rule}


def _script(parsed: Parsed) -> tuple[str, list[str], str]:
    if parsed.has("wrap"):
        return (
            "wrap",
            [],
            "#!/bin/sh\n# This script was created by sbatch --wrap.\n\n" + (parsed.last("wrap") or "") + "\n",
        )
    if not parsed.words:
        text = sys.stdin.read()
        name = "sbatch"
    else:
        name = parsed.words[0]
        try:
            text = Path(name).read_text()
        except OSError as error:
            raise RefusedError(f"Unable to open file {name}") from error
    if not text.startswith("#!"):
        raise RefusedError(
            "This does not look like a batch script.  The first line must start with #! followed by the path to an interpreter."
        )
    if "\r\n" in text:
        raise RefusedError("Batch script contains DOS line breaks (\\r\\n) instead of expected UNIX line breaks (\\n).")
    return Path(name).name, parsed.words[1:], text


def main(root: str) -> int:
    """Submit a job."""
    sim = Sim(root)
    sim.record_call("sbatch", sys.argv[1:])
    try:
        return _submit(sim, sys.argv[1:])
    except RefusedError as error:
        print(f"sbatch: error: {error}", file=sys.stderr)
        return error.status


def _submit(sim: Sim, argv: list[str]) -> int:
    table = slurm_tables.sbatch(sim.version("slurm"), pyxis=sim.config["slurm"]["pyxis"])
    command = table.parse(argv)
    if command.has("version"):
        print(f"slurm {sim.config['slurm']['version']}")
        return 0
    name, args, text = _script(command)
    merged = {**directives(text, table), **_from_environment(), **command.options}
    parsed = Parsed(merged, command.words)
    clash = slurm_tables.clashes(merged, sim.version("slurm"))
    if clash:
        raise RefusedError(clash)
    nodes, per_node = _nodes(sim, parsed), parsed.whole("ntasks-per-node") or 1
    for node in nodes:
        entry = sim.node(node)
        cpus = (parsed.whole("cpus-per-task") or 1) * per_node
        if _gpus(parsed, nodes) > entry["gpus"] or cpus > entry["cpus"]:
            raise RefusedError("Batch job submission failed: Requested node configuration is not available")
    if parsed.has("test-only"):
        print(
            f"sbatch: Job 1 to start at 2026-01-01T00:00:00 using {len(nodes)} processors on nodes {hostlist.compress(nodes)}",
            file=sys.stderr,
        )
        return 0
    env, more = _submit_env(parsed)
    tasks = (parsed.last("array") or "").partition("%")[0].replace("-", ",").split(",")
    with sim.locked("counter") as counter:
        array = counter.get("next", sim.config["slurm"]["first_job"])
        # Of several tasks only the first is run; like all but one it has another number than the array.
        number = array + (len(set(tasks)) > 1)
        counter["next"] = number + 1
    job: dict[str, Any] = {
        "id": str(number),
        "name": parsed.last("job-name") or name,
        "nodes": nodes,
        "args": args,
        "array_job": str(array),
        "array_task": "4294967294",
        "chdir": os.path.join(os.getcwd(), parsed.last("chdir") or ""),
        "submit_dir": os.getcwd(),
        "submit_host": sim.here,
        "submit_env": env,
        "partition": parsed.last("partition") or "main",
        "tasks_per_node": per_node,
        "cpus_on_node": sim.node(nodes[0])["cpus"]
        if parsed.has("exclusive")
        else (parsed.whole("cpus-per-task") or 1) * per_node,
        "gpus": _gpus(parsed, nodes),
        "env": {**_job_variables(sim, parsed, nodes), **more},
        "signal": signal_request(parsed.last("signal")),
        "requeue": parsed.has("requeue") or not parsed.has("no-requeue"),
        "open_mode": parsed.last("open-mode") or "truncate",
        "options": merged,
        "state": "PENDING",
        "restarts": 0,
        "next_step": 0,
        "ending": False,
        "limit": sim.peek("next-limit").get("limit"),
    }
    if parsed.has("array"):
        job["array_task"] = tasks[0]
        job["env"].update(SLURM_ARRAY_JOB_ID=job["array_job"], SLURM_ARRAY_TASK_ID=job["array_task"])
    default = "slurm-%A_%a.out" if parsed.has("array") else "slurm-%j.out"
    job["stdout_path"] = _pattern(parsed.last("output") or default, job)
    job["stderr_path"] = _pattern(parsed.last("error"), job) if parsed.has("error") else job["stdout_path"]
    script = sim.root / "spool" / f"{number}.script"
    script.write_text(text)
    job["script"] = str(script)
    with sim.locked(f"job-{number}") as data:
        data.update(job)
    sock = wire.ask_lab(
        str(sim.root), {"do": "call", "function": "batchd", "node": nodes[0], "args": {"job": str(number)}}
    )
    wire.receive(sock)
    print(array if parsed.has("parsable") else f"Submitted batch job {array}", flush=True)
    if parsed.has("wait"):
        wire.receive(sock)
        return int(sim.peek(f"job-{number}").get("exit_code", 1))
    return 0
