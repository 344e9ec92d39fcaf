"""Read what runs on a target: Ray, services, preparation, the driver, and what is around them."""

from __future__ import annotations

from mngen.manifest import leaf
from mngen.manifest.model import (
    Dashboard,
    Debug,
    Driver,
    Endpoint,
    Logs,
    OnTimeLimit,
    Prepare,
    Ray,
    Ready,
    Resume,
    Retry,
    RuntimeEnv,
    Script,
    Secret,
    Service,
    Where,
)
from mngen.manifest.node import Node, Scalar
from mngen.manifest.text import Phase, Text
from mngen.manifest.typed_fields import Fields, place


def variables(fields: Fields, key: str, phase: Phase) -> tuple[tuple[str, Text], ...]:
    """Read a map of environment variables, in the manifest's order."""
    path = fields.name(key)
    return tuple(
        (name, leaf.text(fields.scope, node, f"{path}.{name}", phase, empty=True)) for name, node in fields.entries(key)
    )


def secrets(fields: Fields) -> tuple[Secret, ...]:
    """Read the map ``secrets``."""
    found: list[Secret] = []
    section = fields.section("secrets")
    for name, node in fields.entries("secrets"):
        if isinstance(node.value, Scalar) and node.value.value is None:
            message = f"`{section.name(name)}` is empty"
            hint = "write {} to take it from the submitting shell"
            fields.scope.report("MN106", message, node.key_span or node.span, hint)
            continue
        one = section.section(name)
        found.append(Secret(name=name, required=one.flag("required", default=True), file=one.text("file", Phase.NODE)))
    return tuple(found)


def ray(fields: Fields) -> Ray:
    """Read ``ray``."""
    dashboard, ports = fields.section("dashboard"), fields.section("ports")
    numbers = {name: leaf.integer(fields.scope, node, ports.name(name)) for name, node in fields.entries("ports")}
    return Ray(
        version=fields.line("version"),
        command=tuple(word.literal or "" for word in fields.words("command", Phase.RENDER)) or ("ray",),
        python=tuple(word.literal or "" for word in fields.words("python", Phase.RENDER)),
        ready_timeout=fields.optional_integer("ready_timeout"),
        dashboard=Dashboard(enabled=dashboard.flag("enabled", default=True), bind=dashboard.choice("bind", "loopback")),
        ports={name: number for name, number in numbers.items() if number is not None},
        temp_dir=fields.line("temp_dir") or Ray().temp_dir,
        object_store=fields.size("object_store"),
        head_gpus=fields.optional_integer("head_gpus"),
        auth=fields.choice("auth", "auto"),
        start_args=fields.texts("start_args", Phase.CLUSTER),
        head_args=fields.texts("head_args", Phase.CLUSTER),
        worker_args=fields.texts("worker_args", Phase.CLUSTER),
        unset_env_prefixes=fields.lines("unset_env_prefixes"),
    )


def prepare(fields: Fields) -> tuple[Prepare, ...]:
    """Read the list ``prepare``."""
    found: list[Prepare] = []
    for index, node in enumerate(fields.items("prepare")):
        one = Fields(node, f"{fields.name('prepare')}.{index}", fields.scope)
        if not one.is_map():
            continue
        found.append(
            Prepare(
                script=one.script("run", Phase.CLUSTER) or Script(Text(("",))),
                when=one.choice("when", "before-driver"),
                on=_where(one),
                creates=one.text("creates", Phase.CLUSTER),
                name=one.line("name"),
            )
        )
    return tuple(found)


def services(fields: Fields) -> tuple[Service, ...]:
    """Read the map ``services``."""
    section = fields.section("services")
    return tuple(_service(name, section.section(name), node) for name, node in fields.entries("services"))


def gpus_of(name: str, fields: Fields) -> Service:
    """Read of a service only what it takes of its nodes' GPUs."""
    return Service(name=name, command=(), on=_where(fields), gpus=_taken(fields))


def _taken(fields: Fields) -> int:
    return 0 if _shares(fields) else fields.integer("gpus", 0)


def _shares(fields: Fields) -> bool:
    gpus = fields.get("gpus")
    return gpus is not None and isinstance(gpus.value, Scalar) and gpus.value.spelling == "shared"


def _service(name: str, fields: Fields, node: Node) -> Service:
    port = fields.get("port")
    spelled = port.value.spelling if port is not None and isinstance(port.value, Scalar) else None
    return Service(
        name=name,
        command=fields.words("command", Phase.CLUSTER),
        on=_where(fields),
        port=None if spelled in {None, "auto"} else fields.optional_integer("port"),
        has_port=port is not None,
        gpus=_taken(fields),
        shares_gpus=_shares(fields),
        env=variables(fields, "env", Phase.CLUSTER),
        ready=_ready(fields.section("ready")) if "ready" in fields else None,
        span=place(node),
    )


def _ready(fields: Fields) -> Ready:
    ready = Ready(
        tcp=fields.flag("tcp"),
        http=fields.line("http"),
        command=fields.words("command", Phase.CLUSTER),
        timeout=fields.integer("timeout", 600),
    )
    if fields.node is not None and [ready.tcp, "http" in fields, "command" in fields].count(True) != 1:
        message = f"`{fields.path}` takes exactly one of tcp, http and command"
        hint = "write {tcp: true}, {http: /health} or {command: [...]}"
        fields.scope.report("MN104", message, place(fields.node), hint)
    return ready


def driver(fields: Fields) -> Driver:
    """Read ``driver``."""
    return Driver(
        command=fields.words("command", Phase.CLUSTER),
        args=fields.texts("args", Phase.CLUSTER),
        extra_args=fields.texts("extra_args", Phase.CLUSTER),
        submit=fields.choice("submit", "direct"),
        submit_from=fields.choice("from", "head"),
        wait=fields.flag("wait", default=True),
        runtime_env=_runtime_env(fields.section("runtime_env")) if "runtime_env" in fields else None,
        span=place(fields.node) if fields.node is not None else None,
    )


def _runtime_env(fields: Fields) -> RuntimeEnv:
    pairs = variables(fields, "env_vars", Phase.RENDER)
    return RuntimeEnv(
        file=fields.line("file"),
        working_dir=fields.line("working_dir"),
        env_vars=tuple((name, text.literal or "") for name, text in pairs),
        pip=fields.lines("pip"),
        excludes=fields.lines("excludes"),
    )


def logs(fields: Fields) -> Logs:
    """Read ``logs``."""
    return Logs(
        dir=fields.line("dir") or "logs",
        driver=fields.line("driver"),
        ray_session=fields.choice("ray_session", "never"),
    )


def on_time_limit(fields: Fields) -> OnTimeLimit | None:
    """Read ``on_time_limit``; without it nothing happens before the limit."""
    if fields.node is None:
        return None
    return OnTimeLimit(
        signal=fields.choice("signal", "USR1"),
        before=fields.integer("before", 300),
        then=fields.choice("then", "stop"),
    )


def retry(fields: Fields) -> Retry | None:
    """Read ``retry``; without it, or with a maximum of 0, a job that failed stays so."""
    usual = Retry()
    most = fields.integer("max", usual.max)
    if fields.node is None or most == 0:
        return None
    return Retry(max=most, exit_codes=fields.integers("exit_codes") or usual.exit_codes)


def resume(fields: Fields) -> Resume | None:
    """Read ``resume``."""
    return None if fields.node is None else Resume(args=fields.texts("args", Phase.CLUSTER))


def debug(fields: Fields) -> Debug:
    """Read ``debug``."""
    return Debug(post_mortem=fields.flag("post_mortem"), legacy=fields.flag("legacy"))


def endpoint(fields: Fields) -> Endpoint | None:
    """Read ``endpoint``."""
    file = fields.text("file", Phase.CLUSTER)
    return None if file is None else Endpoint(file=file, service=fields.line("service"))


def _where(fields: Fields) -> Where:
    return Where.EVERY_NODE if fields.choice("on", Where.HEAD.value) == Where.EVERY_NODE.value else Where.HEAD
