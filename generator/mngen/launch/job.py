"""Ray's runtime_env and the options of ``ray job submit``."""

from __future__ import annotations

import json
from typing import Any

from mngen.launch.names import expression
from mngen.launch.ports import fixed_service_ports
from mngen.launch.words import quote
from mngen.manifest.model import Target
from mngen.plan import Raw


def data(target: Target) -> dict[str, Any] | None:
    """The runtime environment as data; None when the manifest names a file of its own, or nothing."""
    env = target.driver.runtime_env
    if env is None or env.file is not None:
        return None
    fields = {
        "working_dir": env.working_dir,
        "excludes": list(env.excludes),
        "pip": list(env.pip),
        "env_vars": dict(env.env_vars),
    }
    return {key: value for key, value in fields.items() if value} or None


def options(target: Target, *, file: str | None = None) -> tuple[Raw, ...]:
    """Options of ``ray job submit``; ``file``, a shell word, names the rendered runtime_env, else it is inline."""
    env, fields = target.driver.runtime_env, data(target)
    out: list[Raw] = []
    if env is not None and env.file is not None:
        out.append(Raw(f"--runtime-env={quote(env.file)}"))
    elif fields is not None:
        text = json.dumps(fields, ensure_ascii=False)
        out.append(Raw(f"--runtime-env={file}" if file else f"--runtime-env-json={quote(text)}"))
    if not target.driver.wait:
        out.append(Raw("--no-wait"))
    return tuple(out)


def fixed(target: Target) -> dict[str, str]:
    """Variables of the driver's arguments whose value is known before the cluster runs: ports of services."""
    return {} if target.kind == "slurm" else fixed_service_ports(target)


def defaulted(target: Target) -> dict[str, str]:
    """Variables of the driver's arguments that have a default, with it."""
    return {name.removeprefix("env."): value for text in target.driver.argv for name, value in text.defaults}


def asked(target: Target) -> tuple[str, ...]:
    """The placeholders of the driver's arguments that only the running cluster can fill, by name."""
    names = dict.fromkeys(name for text in target.driver.argv for name in text.refs)
    known = fixed(target).keys() | defaulted(target).keys()
    return tuple(name for name in names if expression(inside=False)(name) not in known)


def dashboard_port(target: Target) -> int:
    """Where the dashboard is found on the machine that submits."""
    return target.ray.ports.get("dashboard", 8265)


def tunnel(target: Target, host: str, remote: int | str | None = None) -> Raw:
    """The command that makes the dashboard local; ``remote`` is its port on the head where that is another."""
    port = dashboard_port(target)
    return Raw(f"ssh -L {port}:localhost:{remote or port} {host}")
