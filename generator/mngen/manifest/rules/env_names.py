"""Names of variables: what the job sets itself, what bash or a target's system keeps."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.cloud_names import LOGIN
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.placed_texts import cluster_texts
from mngen.manifest.judging.script_names import LOCAL, OF_SUBMIT, SHELL, taken_by
from mngen.manifest.model import Target

_SYSTEM = {"skypilot": "SKYPILOT_", "dstack": "DSTACK_"}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse variables whose value only the running job knows, and warn about those of Slurm."""
    places = [(f"env.{name}", name) for name, _ in target.env]
    for service in target.services:
        places += [(f"services.{service.name}.env.{name}", name) for name, _ in service.env]
    for field, name in places:
        yield from _check_name(target, field, name)
    for secret in target.secrets:
        yield from _secret(target, secret.name)
    yield from _registry_login(target)


def _check_name(target: Target, field: str, name: str) -> Iterator[Diagnostic]:
    decided = taken_by(target, name) or _kept_for(target, name)
    if decided is not None:
        yield finding(
            target,
            "MN260",
            field,
            f"{field} sets {name}, which the job itself sets on each node, from {decided}",
            hint=f"remove it; to give {name} to {_whom(field)}.command with env {name}=VALUE",
        )
    elif name in SHELL | LOCAL:
        keeper = "bash" if name in SHELL else "the launch script"
        message = f"{field} sets {name}, which {keeper} keeps for itself: the job could not set it"
        yield finding(target, "MN260", field, message, hint="choose another name")
    elif name.startswith(_SYSTEM.get(target.kind, "\0")) and name not in LOGIN:
        message = f"{field} sets {name}, a name that {target.kind} sets itself"
        yield finding(target, "MN260", field, message, hint="choose another name")
    elif target.kind == "slurm" and name.startswith(("SLURM_", "SBATCH_")):
        yield warning(
            target,
            "MN261",
            field,
            f"{field} sets {name}, which Slurm's commands read as an option",
            hint="write it as a directive: slurm, or slurm.extra",
        )
    elif name.startswith(("APPTAINERENV_", "SINGULARITYENV_")):
        plain = name.partition("ENV_")[2]
        message = f"{field} sets {name}; env reaches the container under its own name"
        yield warning(
            target,
            "MN261",
            field,
            message,
            hint=f"write env: {{{plain}: …}}",
        )
    if name in {"RAY_DEBUG", "RAY_DEBUG_POST_MORTEM"} and (target.debug.legacy or target.debug.post_mortem):
        message = f"{field} and debug both decide {name}"
        yield finding(target, "MN260", field, message, hint="keep debug", other=("debug",))


def _whom(field: str) -> str:
    """Return who of the job may have a value of its own, and the field of its command, without the last word."""
    service = field.split(".")[1] if field.startswith("services.") else ""
    return f"this service alone, begin services.{service}" if service else "the driver alone, begin driver"


def _kept_for(target: Target, name: str) -> str | None:
    """Return the placeholder whose value of the node the job keeps under a name, or ``None``."""
    if not name.startswith("HOST_"):
        return None
    node = name.removeprefix("HOST_")
    texts = [text for _, text in cluster_texts(target)] + ([target.workdir] if target.workdir else [])
    kept = any(f"env.{node}" in text.refs for text in (*texts, *target.env_files))
    return f"${{{{ env.{node} }}}}" if kept else None


def _secret(target: Target, name: str) -> Iterator[Diagnostic]:
    taken = taken_by(target, name) is not None and name != "RAY_AUTH_TOKEN"
    # submit.sh clears Slurm's own variables before it looks for secrets.
    slurms = name.startswith(("SLURM_", "SBATCH_")) and name not in {"SLURM_CONF", "SLURM_JWT"}
    submitted = target.kind == "slurm" and (name in OF_SUBMIT or slurms)
    if taken or submitted or _kept_for(target, name) or name in SHELL | LOCAL or name == "PATH":
        field = f"secrets.{name}"
        message = f"{field}: {name} is set by the job itself or by the shell, so it cannot carry a secret"
        yield finding(target, "MN260", field, message, hint="choose another name")


def _registry_login(target: Target) -> Iterator[Diagnostic]:
    """SkyPilot takes its three registry variables from one block only (sky/utils/schemas.py)."""
    if target.kind != "skypilot":
        return
    in_env = [name for name, _ in target.env if name in LOGIN]
    in_secrets = [secret.name for secret in target.secrets if secret.name in LOGIN]
    found = len(in_env) + len(in_secrets)
    if found and (found != len(LOGIN) or (in_env and in_secrets)):
        field = f"env.{in_env[0]}" if in_env else f"secrets.{in_secrets[0]}"
        yield finding(
            target,
            "MN262",
            field,
            "SkyPilot logs in to a registry only when SKYPILOT_DOCKER_USERNAME, _PASSWORD and _SERVER come together",
            hint="name all three under secrets",
            other=[f"secrets.{name}" for name in in_secrets],
        )
