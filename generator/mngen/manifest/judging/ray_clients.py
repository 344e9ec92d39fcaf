"""Which programs need a Ray that runs: its own commands, Ray Serve's, and servers whose workers Ray starts."""

from __future__ import annotations

from mngen.manifest.judging.programs import Call

_SERVE = frozenset({"build", "config", "delete", "deploy", "run", "shutdown", "start", "status"})
"""Commands of Ray Serve's ``serve`` (python/ray/serve/scripts.py); others of that name serve a folder."""
_BACKEND = "--distributed-executor-backend"
"""vLLM's option for who starts its workers (vllm/engine/arg_utils.py)."""


def ray_use(call: Call) -> tuple[str, str] | None:
    """Return the words by which a program uses Ray, with their field; ``None`` for one that does not show it."""
    name, following = call.words[0], call.words[1] if len(call.words) > 1 else ""
    if name in {"ray", "serve"}:
        known = name == "ray" or following in _SERVE
        return (f"{name} {following}".strip(), call.fields[0]) if known else None
    if name.startswith("ray."):
        return f"python -m {name}", call.fields[0]
    backend = call.option({_BACKEND})
    return (f"{backend[0]} ray", backend[2]) if backend is not None and backend[1] == "ray" else None
