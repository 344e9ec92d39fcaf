"""The script that submits the driver to a cluster from outside, and looks after the job."""

from __future__ import annotations

from dataclasses import dataclass

from mngen.launch import header, ray_options
from mngen.launch.job import data, options
from mngen.launch.names import expression
from mngen.launch.ports import fixed_service_ports
from mngen.launch.words import quote, words
from mngen.manifest.model import Manifest, Target
from mngen.plan import Language, PlannedFile, Raw
from mngen.targets import boot, document


@dataclass(frozen=True, slots=True)
class Submit:
    """What the script prints; every value is in shell words."""

    name: Raw
    header: tuple[Raw, ...]
    ray: Raw
    python: Raw
    port: int
    options: Raw
    command: Raw
    arguments: tuple[Raw, ...]
    token: bool
    known: tuple[tuple[Raw, Raw], ...]
    """Variables of the driver's arguments that are fixed: ports of services."""
    asked: tuple[Raw, ...]
    """Variables that only the running cluster knows, which the user sets."""


def _variables(target: Target) -> tuple[str, ...]:
    variable = expression(inside=False)
    refs = (name for text in target.driver.argv for name in text.refs)
    return tuple(dict.fromkeys(variable(name) for name in refs))


def files(target: Target, manifest: Manifest, name: str) -> tuple[PlannedFile, ...]:
    """The script under a name of the kind's own, and the runtime environment that it sends."""
    variable = expression(inside=False)
    fixed = {} if target.kind == "slurm" else fixed_service_ports(target)
    used = _variables(target)
    head = header.comment(header.ownership(manifest, target))
    context = Submit(
        name=Raw(name),
        header=head,
        python=ray_options.python(target),
        ray=Raw(" ".join(quote(word) for word in target.ray.command)),
        port=target.ray.ports.get("dashboard", 8265),
        options=Raw(" ".join(options(target, file='"${here}/runtime_env.yaml"'))),
        command=Raw(" ".join(words(target.driver.command, variable))),
        arguments=words((*target.driver.args, *target.driver.extra_args), variable),
        token=boot.uses_token(target),
        known=tuple((Raw(item), Raw(fixed[item])) for item in used if item in fixed),
        asked=tuple(Raw(item) for item in used if item not in fixed),
    )
    script = PlannedFile(
        path=f"{target.name}/{name}",
        language=Language.BASH,
        template="shell/submit_job.sh.j2",
        context={"s": context},
        mode=0o755,
        group=target.name,
    )
    env = data(target)
    if env is None:
        return (script,)
    return (script, document.file(target, "runtime_env.yaml", document.text(head, env)))


def outside(target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
    """``submit-job.sh``, where the driver comes from outside."""
    return files(target, manifest, "submit-job.sh") if target.driver.submit_from == "outside" else ()


def usage(target: Target, name: str, folder: str = "") -> tuple[tuple[str, str], ...]:
    """Commands for the README; none where the driver runs on the head. ``folder`` is the target's, as a shell word."""
    if target.driver.submit_from != "outside":
        return ()
    port = target.ray.ports.get("dashboard", 8265)
    remote = "PORT" if target.kind == "slurm" else str(port)
    token = (("Set the cluster's token in this shell", "export RAY_AUTH_TOKEN"),) if boot.uses_token(target) else ()
    return (
        ("Reach the dashboard, whose address the log shows", f"ssh -L {port}:127.0.0.1:{remote} HEAD"),
        *token,
        ("Submit the driver, follow it, stop it", f"{folder or target.name}/{name} start|logs|status|stop|latest"),
    )
