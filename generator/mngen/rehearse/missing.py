"""Why a round does not apply to a launch file, and what would let it."""

from __future__ import annotations

from mngen.errors import UsageError
from mngen.rehearse.planning import Plan, retry_codes
from mngen.rehearse.rounds import Round
from mngen.rehearse.subject import Kind
from mngen.rehearse.vendors import ROCM

_FITTING = "--fault all runs every round that fits it"
_WHY = {
    "driver": ("has no driver", "driver: {command: [...]} in its manifest starts one"),
    "workers": ("is for one node", "--nodes 2 gives it another"),
    "gpus": ("has no GPUs", "resources: {gpus: 8} in its manifest asks for some"),
    "fabric": ("has no check of a fabric", "network: {fabric: ...} in its manifest brings one"),
    "services": ("has no services", "services: {NAME: {command: [...]}} in its manifest starts one"),
    "ports": ("has no service with a port", "one with `port` in its manifest is waited for"),
    "secrets": ("has no secrets", "secrets: {NAME: {}} in its manifest names one"),
    "loss": ("goes on without a node that it lost", "on_node_loss: fail in its manifest ends it"),
    "retry": ("does not retry", "retry: {max: 3} in its manifest does"),
    "slurm": ("is no Slurm job", _FITTING),
    "shm": ("has no check of /dev/shm", "resources: {shm: 1G} in its manifest brings one"),
}
"""What is said of each need, by the names of `Plan.has`, and what helps."""


def refusal(made: Plan, one: Round, need: str) -> UsageError:
    """Return the error for a round that was asked for."""
    if need == "stub":
        return UsageError(f"{one.name} is not possible with the installed Ray", hint="--ray stub takes a stand-in")
    why, hint = _why(made, need)
    return UsageError(f"{one.name}: {made.subject.file} {why}", hint=hint)


def _why(made: Plan, need: str) -> tuple[str, str]:
    codes = retry_codes(made.subject.script)
    why, hint = _WHY[need]
    if not made.subject.generated:
        hint = _FITTING
        why = "was not written by mngen, which knows no driver in it" if need == "driver" else why
    elif need == "driver" and made.drives:
        why = "runs its own driver, and only a stand-in ends as a round wants it"
        hint = "leave --run-driver out"
    elif need == "retry" and codes:
        why = f"retries after {', '.join(codes)}, and in this round it ends with 76"
        hint = "76 in `retry.exit_codes` of its manifest counts that too"
    if need == "shm" and "--shm-size" in made.subject.script:
        why, hint = "gives its container a /dev/shm of its own, whatever the node has", _FITTING
    if need == "gpus" and made.shape.gpus and made.shape.vendor == ROCM and made.subject.kind is Kind.SLURM:
        why, hint = "is for AMD's GPUs, of which it knows on Slurm by their mask alone", _FITTING
    return why, hint
