"""Names of variables: what the job sets itself, what bash or a target's system keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Target
from mngen.manifest.rules.finding import finding, warning

# What the launch script sets on every node from the cluster itself, with the field that decides it.
OWN: Mapping[str, str] = {
    "RAY_ADDRESS": "the head's address",
    "RAY_NODE_IP_ADDRESS": "network",
    "RAY_AUTH_TOKEN": "secrets.RAY_AUTH_TOKEN or ray.auth",
    "RAY_AUTH_TOKEN_PATH": "ray.auth",
    "RAY_AUTH_MODE": "ray.auth",
    "RAY_TMPDIR": "ray.temp_dir",
    "HEAD_IP": "network",
    "HEAD_ADDRESS": "network and ray.ports.gcs",
    "NODE_IP": "network",
    "NODE_RANK": "the launch script",
    "MASTER_ADDR": "network",
    "VLLM_HOST_IP": "network",
    "HOST_UID": "container.host_ids",
    "HOST_GID": "container.host_ids",
}
# bash(1), Shell Variables: read-only, or given a meaning that an assignment would break.
_SHELL = frozenset(
    {
        "BASHOPTS",
        "BASHPID",
        "BASH_ENV",
        "BASH_VERSINFO",
        "DIRSTACK",
        "EUID",
        "FUNCNAME",
        "GROUPS",
        "IFS",
        "POSIXLY_CORRECT",
        "PPID",
        "SECONDS",
        "SHELLOPTS",
        "UID",
    }
)
_SYSTEM = {"skypilot": "SKYPILOT_", "dstack": "DSTACK_"}
_LOGIN = ("SKYPILOT_DOCKER_USERNAME", "SKYPILOT_DOCKER_PASSWORD", "SKYPILOT_DOCKER_SERVER")


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
    decided = OWN.get(name)
    if decided is None and name.startswith("MNGEN_"):
        decided = "the launch script"
    if decided is not None:
        yield finding(
            target,
            "MN260",
            field,
            f"{field} sets {name}, which the job sets on each node from {decided}",
            hint="remove it" + (f"; change {decided} instead" if "." in decided else ""),
        )
    elif name in _SHELL:
        message = f"{field} sets {name}, which bash keeps for itself: the job could not set it"
        yield finding(target, "MN260", field, message, hint="choose another name")
    elif name.startswith(_SYSTEM.get(target.kind, "\0")) and name not in _LOGIN:
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


def _secret(target: Target, name: str) -> Iterator[Diagnostic]:
    if (name in OWN and name != "RAY_AUTH_TOKEN") or name.startswith("MNGEN_") or name in _SHELL or name == "PATH":
        field = f"secrets.{name}"
        message = f"{field}: {name} is set by the job itself or by the shell, so it cannot carry a secret"
        yield finding(target, "MN260", field, message, hint="choose another name")


def _registry_login(target: Target) -> Iterator[Diagnostic]:
    """SkyPilot takes its three registry variables from one block only (sky/utils/schemas.py)."""
    if target.kind != "skypilot":
        return
    in_env = [name for name, _ in target.env if name in _LOGIN]
    in_secrets = [secret.name for secret in target.secrets if secret.name in _LOGIN]
    found = len(in_env) + len(in_secrets)
    if found and (found != len(_LOGIN) or (in_env and in_secrets)):
        field = f"env.{in_env[0]}" if in_env else f"secrets.{in_secrets[0]}"
        yield finding(
            target,
            "MN262",
            field,
            "SkyPilot logs in to a registry only when SKYPILOT_DOCKER_USERNAME, _PASSWORD and _SERVER come together",
            hint="name all three under secrets",
            other=[f"secrets.{name}" for name in in_secrets],
        )
