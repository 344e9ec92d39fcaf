"""Commands for the README of a Slurm job, from its submission to its end."""

from __future__ import annotations

from mngen.launch import header
from mngen.launch.words import quote
from mngen.manifest.judging.attempts import may_go_back, requeued_by
from mngen.manifest.judging.slurm_options import first_task, given
from mngen.manifest.model import Manifest, Target
from mngen.targets import ray_job
from mngen.targets.secret_words import typed
from mngen.targets.slurm_directives import directives_output
from mngen.targets.slurm_logs import named, placed

Commands = tuple[tuple[str, str], ...]


def usage(target: Target, manifest: Manifest) -> Commands:
    """Return each command with what it does; JOB stands for the number that ``submit.sh`` prints."""
    folder = header.folder(manifest, target)
    job = "JOB_TASK" if first_task(target) else "JOB"
    says = "; it says how to reach the dashboard" if target.ray.dashboard.enabled else ""
    shell = f"Open a shell on the head of a running job{says}"
    debug = " ".join(map(quote, (*target.ray.command, "debug")))
    return (
        *_secrets(target),
        (_submit(target), f"{folder}/submit.sh"),
        *_resume(target, folder),
        *ray_job.usage(target, "submit-job.sh", folder),
        *_log(target),
        (shell, f"{folder}/attach.sh {job}"),
        *((("Debug a task that waits for it, in that shell", debug),) if target.debug.legacy else ()),
        *_requeue(target, job),
        ("Stop a job", "scancel JOB"),
    )


def _submit(target: Target) -> str:
    task = first_task(target)
    number = f"JOB below, and of a task JOB_TASK, such as JOB_{task}" if task else "JOB below"
    arguments = "; arguments after it go to the driver" if target.driver.submit_from == "head" else ""
    return f"Submit, which prints the number that is {number}{arguments}"


def _secrets(target: Target) -> Commands:
    names = [secret.name for secret in target.secrets if secret.file is None]
    return (typed(f"Set {', '.join(names)} in this shell", names, target),) if names else ()


def _resume(target: Target, folder: str) -> Commands:
    """The arguments of a second attempt, given by hand; none where only a running job knows them."""
    words = [argument.literal for argument in target.resume.args] if target.resume else []
    known = [quote(word) for word in words if word is not None]
    if not words or len(known) < len(words) or target.driver.submit_from == "outside":
        return ()
    return (("Submit what goes on where an earlier job stopped", f"{folder}/submit.sh {' '.join(known)}"),)


def _log(target: Target) -> Commands:
    output, errors = (placed(target, each) for each in (directives_output(target), given(target, "error")))
    said, told = (named(target, each, "JOB") for each in (output, errors))
    if not said or told is None:
        return ()
    both = f"{said} {told}" if told and told != said else said
    return ("Follow a job", f"tail -F {both}"), ("See why it ended", f"grep mngen-verdict {said}")


def _requeue(target: Target, job: str) -> Commands:
    if not may_go_back(target):
        return ()
    retry, causes = target.retry, requeued_by(target)
    when = ["at its time limit"] if "on_time_limit.then" in causes else []
    if retry is not None:
        codes = ", ".join(map(str, retry.exit_codes))
        when.append(f"after exit status {codes} unless it has come back {retry.max} times already")
    itself = f", as the job does itself {' and '.join(when)}" if when else ""
    return ((f"Put a running job back into the queue{itself}", f"scontrol requeue {job}"),)
