"""Subcommands that the Ray client does not have."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_COMMANDS = (
    *(
        "attach",
        "check-open-ports",
        "cluster-dump",
        "cpp",
        "create-or-update",
        "dashboard",
        "debug",
        "disable-usage-stats",
    ),
    *("down", "drain-node", "enable-usage-stats", "exec", "get", "get-auth-token", "get-head-ip", "get-worker-ips"),
    *(
        "global-gc",
        "health-check",
        "install-nightly",
        "job",
        "kill-random-node",
        "kuberay-autoscaler",
        "list",
        "local-dump",
    ),
    *("logs", "memory", "metrics", "microbenchmark", "monitor", "rsync-down", "rsync-up", "sanity-check", "stack"),
    *("start", "status", "stop", "submit", "summary", "symmetric-run", "teardown", "timeline", "up"),
)
"""The commands of Ray 2.52.1 (python/ray/scripts/scripts.py)."""


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("ray"):
        name = next((text for text in call.texts if not text.startswith("-")), None)
        if name is None or name.replace("_", "-") in _COMMANDS or not name.replace("-", "").replace("_", "").isalpha():
            continue
        near = get_close_matches(name, _COMMANDS, n=1)
        other = "count `ray.nodes()` by `Alive` in Python, or use `ray list nodes`" if name == "nodes" else ""
        yield Found(
            call.line,
            f"Ray has no command `ray {name}`, so this fails every time",
            other or (f"did you mean `ray {near[0]}`?" if near else "see `ray --help`"),
        )


RULE = Rule("MN750", Severity.ERROR, _check)
