"""Variables that speak against ``network.fabric``."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.fabrics import fabric
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Target

_INTERNAL = ("IB", "Socket")
"""The transports that NCCL itself has; a plugin brings any other."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a transport of another fabric, and InfiniBand verbs that are switched off where they are the fabric."""
    chosen = fabric(target.network.fabric)
    if chosen is None:
        return
    env = {name: text.literal for name, text in target.env}
    named = env.get("NCCL_NET")
    if named is not None and any(named.lower() == other.lower() != chosen.net.lower() for other in _INTERNAL):
        yield _against(target, "NCCL_NET", f"{named}, another fabric's transport", chosen.title)
    if chosen.net == "IB" and env.get("NCCL_IB_DISABLE") not in {None, "", "0"}:
        yield _against(target, "NCCL_IB_DISABLE", f"{env['NCCL_IB_DISABLE']}, which switches it off", chosen.title)


def _against(target: Target, name: str, how: str, title: str) -> Diagnostic:
    message = f"network.fabric is {target.network.fabric} ({title}), but env sets {name} to {how}"
    hint = f"remove {name}, or write fabric: none for plain TCP"
    return finding(target, "MN259", f"env.{name}", message, hint=hint, other=("network.fabric",))
