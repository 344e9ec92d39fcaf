"""Which shell variable holds a placeholder's value when the script runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from mngen.launch.words import quote
from mngen.manifest.judging.unset_names import named_by
from mngen.manifest.model import Runtime, Target
from mngen.manifest.text import Text

# The two folders are no placeholders of the manifest: mounts of the code and the logs use them.
_FIXED = {
    "node_rank": "NODE_RANK",
    "job_id": "JOB_ID",
    "attempt": "ATTEMPT",
    "job_dir": "JOB_DIR",
    "log_dir": "LOG_DIR",
    "submit_dir": "SUBMIT_DIR",
    "uid": "HOST_UID",
    "gid": "HOST_GID",
    "head_ip": "HEAD_IP",
    "head_host": "HEAD_HOST",
    "head_address": "HEAD_ADDRESS",
    "node_ip": "NODE_IP",
    "node_host": "NODE_HOST",
}

EXPORTED = ("HEAD_IP", "HEAD_ADDRESS", "NODE_IP", "NODE_RANK", "JOB_ID", "ATTEMPT")
"""What every job exports, for the user's programs; ``hosts`` does so with the forms for URLs."""


def service_port(name: str) -> str:
    """The variable with a service's port: ``retriever`` gives ``RETRIEVER_PORT``."""
    return name.upper().replace("-", "_") + "_PORT"


def expression(*, inside: bool) -> Callable[[str], str]:
    """Map placeholder names to variables; ``inside`` a container a node's own variables carry the prefix ``HOST_``."""

    def variable(name: str) -> str:
        if name in _FIXED:
            return _FIXED[name]
        if name.startswith("env."):
            return ("HOST_" if inside else "") + name.removeprefix("env.")
        return service_port(name.removeprefix("services.").removesuffix(".port"))

    return variable


def late(target: Target, *, contained: bool) -> Callable[[str], str]:
    """The same for what is used inside the runtime.

    With pyxis a node has one role (``contained`` is false), and yet an image's variables stand before the node's there,
    and the home is another. Elsewhere the node's own variables are there, but for those that ``env`` changes.
    """
    if contained or target.runtime is Runtime.PYXIS:
        return expression(inside=True)
    kept, plain = {f"env.{name}" for name in kept_variables(target)}, expression(inside=False)
    return lambda name: f"HOST_{plain(name)}" if name in kept else plain(name)


def kept_variables(target: Target) -> tuple[str, ...]:
    """The node's own variables that are asked for, and that ``env`` sets or ``unset_env`` removes: they are kept."""
    gone = named_by((*target.unset_env, *(name for name, _ in target.env)))
    return tuple(filter(gone, inside_variables(target)))


def host_exports(target: Target) -> list[str]:
    """Assignments that hand the node's own variables to the runtime's inside."""
    return [f"HOST_{name}=${{{name}}}" for name in inside_variables(target)]


def _texts_of_their_own(target: Target) -> Iterable[Text]:
    """The texts that a shell of their own runs, which sees what is exported only."""
    for script in (target.preflight, target.cleanup, *(step.script for step in target.prepare)):
        if script:
            yield script.text


def late_texts(target: Target) -> Iterable[Text]:
    """Every text of a target that is used inside the runtime."""
    yield from (value for _, value in target.env)
    yield from target.env_files
    yield from target.driver.argv
    yield from target.resume.args if target.resume else ()
    yield from (*target.ray.start_args, *target.ray.head_args, *target.ray.worker_args)
    if target.workdir:
        yield target.workdir
    if target.endpoint:
        yield target.endpoint.file
    if target.setup:
        yield target.setup.text
    yield from _texts_of_their_own(target)
    yield from (step.creates for step in target.prepare if step.creates)
    yield from mounted_at_home(target)
    for service in target.services:
        yield from service.command
        yield from (value for _, value in service.env)
        if service.ready:
            yield from service.ready.command


def mounted_at_home(target: Target) -> Iterable[Text]:
    """Places of mounts that are below the node's own home, which inside has to be known by name."""
    if target.runtime.is_container:
        yield from (mount.target for mount in target.mounts if mount.place.startswith("${{ env.HOME }}/"))


def host_texts(target: Target) -> Iterable[Text]:
    """Every text of a target that is used on the host, before the runtime starts."""
    for mount in target.mounts:
        yield from (mount.source, mount.target)
    yield from target.container.options
    yield from target.container.prefix
    yield from (secret.file for secret in target.secrets if secret.file)
    if target.host_setup:
        yield target.host_setup.text
    if target.image:
        yield from (text for text in (target.image.sif, target.image.sqsh) if text)


def _names(texts: Iterable[Text]) -> tuple[str, ...]:
    """The placeholders in texts, in order, without repeats."""
    return tuple(dict.fromkeys(name for text in texts for name in text.refs))


@lru_cache(maxsize=8)  # asked for at every text
def _late_names(target: Target) -> tuple[str, ...]:
    return _names(late_texts(target))


@lru_cache(maxsize=8)
def _all_names(target: Target) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_names(host_texts(target)), *_late_names(target))))


def _variables(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.removeprefix("env.") for name in names if name.startswith("env."))


def inside_variables(target: Target) -> tuple[str, ...]:
    """The node's own variables that the runtime's inside needs, by name."""
    return _variables(_late_names(target))


def host_variables(target: Target) -> tuple[str, ...]:
    """The node's own variables that anything of the target needs, by name."""
    return _variables(_all_names(target))


def read_service_ports(target: Target) -> frozenset[str]:
    """The services whose port something of the target reads, by name; another's variable would stand there unused."""
    placed = (name for name in _late_names(target) if name.startswith("services."))
    asked = (s.name for s in target.services if s.ready and not s.ready.command)
    published = [target.endpoint.service] if target.endpoint and target.endpoint.service else []
    return frozenset((*(n.removeprefix("services.").removesuffix(".port") for n in placed), *asked, *published))


def exported_variables(target: Target) -> tuple[str, ...]:
    """The variables that a text with a shell of its own reads, besides those that every job exports."""
    known = {*EXPORTED, "HEAD_HOST", "NODE_HOST"}
    read = (name for name in _names(_texts_of_their_own(target)) if not name.startswith("env."))
    return tuple(dict.fromkeys(name for name in map(expression(inside=False), read) if name not in known))


def required_variables(target: Target) -> tuple[str, ...]:
    """Lines that stop a node where a variable that the manifest takes from it is not set."""
    names = host_variables(target)
    given = defaults(target) if names else {}
    return tuple(_required(name, given) for name in names)


def defaults(target: Target) -> dict[str, str]:
    """Return the defaults of the node's own variables that the target uses, by name."""
    texts = (*host_texts(target), *late_texts(target))
    return {name.removeprefix("env."): value for text in texts for name, value in text.defaults}


def required_around(setup: Iterable[str], target: Target) -> list[str]:
    """The same around the lines that run ``host_setup``: what that reads has to be there before, the rest after it."""
    names = host_variables(target)
    if not names:
        return [*setup]
    read = () if target.host_setup is None else target.host_setup.text.refs
    early = [name for name in names if f"env.{name}" in read]
    late = [name for name in names if name not in early]
    given = defaults(target)
    return [*(_required(name, given) for name in early), *setup, *(_required(name, given) for name in late)]


def _required(name: str, given: Mapping[str, str]) -> str:
    if name in given:
        return f"[[ -n ${{{name}:-}} ]] || export {name}={quote(given[name])}"
    message = f"the manifest uses \\${{{{ env.{name} }}}}, which is not set on this node"
    return f'[[ -n ${{{name}:-}} ]] || fail 78 "{message}"'


def uses_host_ids(target: Target) -> bool:
    """Whether the submitting user's ids are needed."""
    return target.container.host_ids or not {"uid", "gid"}.isdisjoint(_all_names(target))
