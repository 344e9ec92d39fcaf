"""The plain job that many bug cases look at, and ways to get at what a manifest makes without running it."""

from dataclasses import dataclass
from typing import Any

import yaml
from generated import render

from mngen import render as renderer
from mngen import targets
from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.load import LoadOptions, load
from mngen.rehearse.cluster import Cluster, JobResult

DISPATCH = "\n# Slurm runs this file with the user's arguments"
BASE: dict[str, Any] = {
    "apiVersion": "mngen/v1",
    "name": "sim",
    "driver": {"command": ["sim-driver"]},
    "targets": {"job": {"kind": "slurm"}},
    "resources": {"nodes": 2},
}


@dataclass(frozen=True)
class PlainJob:
    """A cluster, its one finished job, and the text of the file that ran."""

    sim: Cluster
    done: JobResult
    text: str

    def starts(self) -> list[dict[str, Any]]:
        """The `ray start` calls, the head's first."""
        return ray_starts(self.sim)

    def driver(self) -> dict[str, Any]:
        """The one start of the driver."""
        (driver,) = self.sim.records("driver")
        return driver


def run_plain_job(sim: Cluster) -> PlainJob:
    """Two nodes; the driver joins Ray and ends with status 7; the job is submitted from a shell with a stale address."""
    sim.set_faults({"*": {"driver": {"connect": True, "exit": 7}}})
    script = render(sim, {"resources": {"cpus": 6}}) / "job.sbatch"
    done = sim.sbatch(script, timeout=40, env={"RAY_ADDRESS": "192.0.2.9:6379"})
    return PlainJob(sim, done, script.read_text())


def ray_starts(sim: Cluster) -> list[dict[str, Any]]:
    """The `ray start` calls of a cluster, the head's first."""
    calls = [call for call in sim.records("ray") if call["argv"][0] == "start"]
    return sorted(calls, key=lambda call: "--head" not in call["argv"])


def option(call: dict[str, Any], name: str) -> str:
    """The value of `--name=value` in a recorded call, given once."""
    (value,) = [word.partition("=")[2] for word in call["argv"] if word.startswith(f"--{name}=")]
    return str(value)


def manifest(**fields: Any) -> str:
    """A whole manifest of a plain Slurm job with some fields of the top level replaced."""
    return yaml.safe_dump({**BASE, **fields}, sort_keys=False, allow_unicode=True)


def findings(**fields: Any) -> list[Diagnostic]:
    """What loading such a manifest says."""
    return list(load(manifest(**fields), "manifest.yaml", LoadOptions()).diagnostics)


def errors(**fields: Any) -> list[Diagnostic]:
    """The findings that stop rendering."""
    return [item for item in findings(**fields) if item.severity is Severity.ERROR]


def files(*, partial: bool = True, **fields: Any) -> dict[str, str]:
    """The rendered files of such a manifest, by path; those of its images too when not ``partial``."""
    loaded = load(manifest(**fields), "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, [str(item) for item in loaded.diagnostics]
    plan = targets.plan(loaded.manifest, partial=partial)
    return {file.path: file.text for file in renderer.render(plan, digest=loaded.manifest.digest).files}


def job_file(**fields: Any) -> str:
    """The batch file of such a manifest."""
    return files(**fields)["job/job.sbatch"]


def directives(text: str) -> list[str]:
    """The options of the `#SBATCH` lines of a batch file, as they are written."""
    mark = "#SBATCH "
    return [line.removeprefix(mark) for line in text.splitlines() if line.startswith(mark)]


def functions(text: str) -> str:
    """A batch file's settings and functions, without the line that starts its work."""
    before, mark, _ = text.partition(DISPATCH)
    assert mark, "the batch file has no line that starts its work"
    return before + "\n"


def image_files(**fields: Any) -> dict[str, str]:
    """The files of the image of such a manifest, by name."""
    target = {"kind": "slurm", "runtime": "docker", "resources": {"shm": "1G"}}
    loaded = load(manifest(**{"targets": {"job": target}, **fields}), "manifest.yaml", LoadOptions())
    assert loaded.manifest is not None, [str(item) for item in loaded.diagnostics]
    rendered = renderer.render(targets.plan(loaded.manifest), digest=loaded.manifest.digest)
    return {file.path.rpartition("/")[2]: file.text for file in rendered.files if file.group == "images"}
