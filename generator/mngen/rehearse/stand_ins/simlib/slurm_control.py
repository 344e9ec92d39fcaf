"""`scontrol`, `scancel`, `squeue`, `sinfo`, `sacct`."""

import os
import signal
import sys
from typing import Any

from simlib import hostlist
from simlib.options import RefusedError, Table
from simlib.place import Sim
from simlib.sbatch import signal_request

FINAL = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")


def _tell(sim: Sim, job_id: str, command: dict[str, Any]) -> bool:
    job = sim.peek(f"job-{job_id}")
    if not job:
        return False
    with sim.locked(f"commands-{job_id}") as queue:
        queue.setdefault("list", []).append(command)
    if "daemon" in job and job["state"] not in FINAL:
        try:
            os.kill(job["daemon"], signal.SIGUSR1)
        except ProcessLookupError:
            return False
    return True


def scancel(root: str) -> int:
    """Cancel or signal jobs."""
    sim = Sim(root)
    sim.record_call("scancel", sys.argv[1:])
    try:
        parsed = Table("scancel", "b/batch f/full s/signal= Q/quiet v/verbose", posix=False).parse(sys.argv[1:])
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 1
    status = 0
    for word in parsed.words:
        command: dict[str, Any] = {"do": "cancel"}
        if parsed.has("signal"):
            command = {
                "do": "signal",
                **(signal_request(parsed.last("signal")) or {}),
                "batch": parsed.has("batch"),
                "full": parsed.has("full"),
            }
        if not _tell(sim, word, command):
            print(f"scancel: error: Kill job error on job id {word}: Invalid job id specified", file=sys.stderr)
            status = 1
    return status


def scontrol(root: str) -> int:
    """`show hostnames`, `show job`, `requeue`, `--version`."""
    sim = Sim(root)
    argv = sys.argv[1:]
    sim.record_call("scontrol", argv)
    if argv[:1] in (["--version"], ["-V"]):
        print(f"slurm {sim.config['slurm']['version']}")
        return 0
    try:
        words = Table("scontrol", "o/oneliner Q/quiet a/all d/details").parse(argv).words
        return _scontrol(sim, words)
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 1


def _scontrol(sim: Sim, words: list[str]) -> int:
    if words[:2] in (["show", "hostnames"], ["show", "hostname"]):
        text = (
            words[2] if len(words) > 2 else os.environ.get("SLURM_JOB_NODELIST", os.environ.get("SLURM_NODELIST", ""))
        )
        if not text:
            raise RefusedError("Hostlist is empty!")
        for name in hostlist.expand(text):
            print(name)
        return 0
    if words[:2] in (["show", "hostlist"], ["show", "hostlistsorted"]) and len(words) == 3:
        print(hostlist.compress(words[2].split(",")))
        return 0
    if words[:2] == ["show", "job"] and len(words) == 3:
        job = _known_as(sim, words[2])
        if not job:
            raise RefusedError("slurm_load_jobs error: Invalid job id specified")
        state = "COMPLETING" if job["ending"] and job["state"] == "RUNNING" else job["state"]
        print(
            f"JobId={job['id']} JobName={job['name']}\n   JobState={state} Reason={job.get('reason', 'None')} Dependency=(null)"
        )
        print(
            f"   Requeue={int(job['requeue'])} Restarts={job['restarts']} BatchFlag=1 Reboot=0 ExitCode={job.get('exit_code', 0)}:{job.get('exit_signal', 0)}"
        )
        print(
            f"   NodeList={hostlist.compress(job['nodes'])}\n   BatchHost={job['nodes'][0]}\n   NumNodes={len(job['nodes'])}\n   StdOut={job['stdout_path']}\n"
        )
        return 0
    if words[:1] == ["requeue"] and len(words) == 2:
        job = _known_as(sim, words[1])
        if not job or not job["requeue"]:
            raise RefusedError("Requested operation is presently disabled for job " + words[1])
        return 0 if _tell(sim, job["id"], {"do": "requeue"}) else 1
    if words[:1] == ["sim-time-limit"]:  # what the harness calls when a job has run long enough
        return 0 if _tell(sim, words[1], {"do": "time_limit"}) else 1
    raise RefusedError(f"invalid keyword: {' '.join(words)}")


def _known_as(sim: Sim, number: str) -> dict[str, Any]:
    """Return the job of a number, or of the form ARRAY_TASK."""
    array, _, task = number.partition("_")
    if not task:
        return sim.peek(f"job-{number}")
    jobs = (sim.peek(path.stem) for path in (sim.root / "state").glob("job-*.json"))
    return next((job for job in jobs if (job["array_job"], job["array_task"]) == (array, task)), {})


def squeue(root: str) -> int:
    """Jobs that have not ended, one id and state a line."""
    sim = Sim(root)
    parsed = Table(
        "squeue", "h/noheader j/jobs= u/user= o/format= O/Format= me t/states= n/name= r/array s/steps?"
    ).parse(sys.argv[1:])
    names = (parsed.last("jobs") or "").split(",")
    if not parsed.has("noheader"):
        print("JOBID STATE")
    for path in sorted((sim.root / "state").glob("job-*.json")):
        job = sim.peek(path.stem)
        asked = (job["id"], job["array_job"], f"{job['array_job']}_{job['array_task']}")
        wanted = (parsed.last("states") or job["state"]).upper().split(",")
        if job["state"] not in FINAL and job["state"] in wanted and (names == [""] or not set(asked).isdisjoint(names)):
            known = {"%A": job["id"], "%i": job["id"], "%T": job["state"], "%N": hostlist.compress(job["nodes"])}
            print(known.get(parsed.last("format") or "", f"{job['id']} {job['state']}"))
    return 0


def sinfo(root: str) -> int:
    """Only the version."""
    print(f"slurm {Sim(root).config['slurm']['version']}")
    return 0


def sacct(_root: str) -> int:
    """As on a cluster without accounting."""
    print("Slurm accounting storage is disabled", file=sys.stderr)
    return 1
