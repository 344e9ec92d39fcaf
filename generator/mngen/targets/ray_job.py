"""The script that submits the driver to a cluster from outside, and looks after the job."""

from __future__ import annotations

from msgspec import Struct

from mngen.launch import header, ray_options
from mngen.launch.job import asked, dashboard_port, data, defaulted, fixed, options, tunnel
from mngen.launch.names import expression
from mngen.launch.words import quote, words
from mngen.manifest.model import Manifest, Target
from mngen.plan import Language, PlannedFile, Raw
from mngen.targets import boot, document


class Submit(Struct, frozen=True):
    """What the script prints; every value is in shell words."""

    name: Raw
    header: tuple[Raw, ...]
    ray: Raw
    python: Raw
    port: int
    reach: Raw
    """The command that makes the dashboard local."""
    options: Raw
    command: Raw
    arguments: tuple[Raw, ...]
    token: bool
    known: tuple[tuple[Raw, Raw], ...]
    """Variables of the driver's arguments that are fixed: ports of services."""
    defaults: tuple[tuple[Raw, Raw], ...]
    """Variables of them that have a default."""
    asked: tuple[Raw, ...]
    """Variables that only the running cluster knows, which the user sets."""


def _tunnel(target: Target) -> Raw:
    """To a head whose name, and on Slurm whose port, the user reads in the log."""
    return tunnel(target, "HEAD", "PORT" if target.kind == "slurm" else None)


def files(target: Target, manifest: Manifest, name: str, reach: Raw | None = None) -> tuple[PlannedFile, ...]:
    """The script under a name of the kind's own, and the runtime environment that it sends."""
    variable = expression(inside=False)
    known = fixed(target)
    used = dict.fromkeys(variable(name) for text in target.driver.argv for name in text.refs)
    head = header.comment(header.ownership(manifest, target))
    context = Submit(
        name=Raw(name),
        header=head,
        python=ray_options.python(target),
        ray=Raw(" ".join(quote(word) for word in target.ray.command)),
        port=dashboard_port(target),
        reach=reach or _tunnel(target),
        options=Raw(" ".join(options(target, file='"${here}/runtime_env.yaml"'))),
        command=Raw(" ".join(words(target.driver.command, variable))),
        arguments=words((*target.driver.args, *target.driver.extra_args), variable),
        token=boot.uses_token(target),
        known=tuple((Raw(item), Raw(known[item])) for item in used if item in known),
        defaults=tuple((Raw(item), quote(value)) for item, value in defaulted(target).items()),
        asked=tuple(Raw(variable(name)) for name in asked(target)),
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


def outside(target: Target, manifest: Manifest, reach: Raw | None = None) -> tuple[PlannedFile, ...]:
    """``submit-job.sh``, where the driver comes from outside."""
    return files(target, manifest, "submit-job.sh", reach) if target.driver.submit_from == "outside" else ()


def _needed(target: Target) -> tuple[tuple[str, str], ...]:
    """The words and the command that set what only the running cluster knows of the driver's arguments."""
    names = [expression(inside=False)(name) for name in asked(target)]
    log = "that `head.sh` prints" if target.kind == "manual" else "that the head's log shows"
    text = f"Set in this shell what the driver's arguments need, by the line {log}"
    return ((text, f"export {' '.join(f'{name}=...' for name in names)}"),) if names else ()


def usage(target: Target, name: str, folder: str) -> tuple[tuple[str, str], ...]:
    """Commands for the README; none where the driver runs on the head. ``folder`` is the target's, as a shell word."""
    if target.driver.submit_from != "outside":
        return ()
    token = (("Set the cluster's token in this shell", "export RAY_AUTH_TOKEN"),) if boot.uses_token(target) else ()
    # The other kinds tell it for every run.
    told = target.kind not in {"slurm", "manual"}
    return (
        *(() if told else (("Reach the dashboard, whose address the log shows", _tunnel(target)),)),
        *token,
        *_needed(target),
        ("Submit the driver; arguments after it go to the driver", f"{folder}/{name} start"),
        ("Follow the latest; an ID behind this, `status` or `stop` names another", f"{folder}/{name} logs"),
        ("See how it is", f"{folder}/{name} status"),
        ("See all of them", f"{folder}/{name} list"),
        ("Stop the job alone", f"{folder}/{name} stop"),
    )
