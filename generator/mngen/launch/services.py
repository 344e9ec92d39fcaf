"""Services: how each is started, and the lines that start it and wait for it."""

from __future__ import annotations

from collections.abc import Callable

from mngen.launch.engines import amd_mask
from mngen.launch.layout import WIDTH
from mngen.launch.names import late
from mngen.launch.ranks import Ranks
from mngen.launch.words import quote, word, words
from mngen.manifest.model import Service, Target, Variant, Where
from mngen.manifest.text import Ref, Text
from mngen.plan import Raw


def _start(target: Target, service: Service, variable: Callable[[str], str], *, indent: int) -> str:
    mask = "CUDA_VISIBLE_DEVICES" if target.variant is Variant.CUDA else amd_mask(target)
    env = [f"{name}={word(value, variable)}" for name, value in service.env]
    if target.resources.gpus and not service.shares_gpus:
        # A service that asks for no GPU must not take memory on all of them. To AMD's HIP an empty list is none at all:
        # https://rocm.docs.amd.com/en/latest/conceptual/gpu-isolation.html, and ROCm/clr, rocdevice.cpp.
        nothing = "-1" if mask == "HIP_VISIBLE_DEVICES" else "''"
        env.insert(0, f'{mask}="${{SERVICE_GPUS}}"' if service.gpus else f"{mask}={nothing}")
    call = ["start_part", quote(service.name), *words(service.command, variable)]
    line = " ".join([*env, *call])
    if not env or indent + len(line) <= WIDTH:
        return line
    return " ".join(env) + " \\\n" + " " * (indent + 2) + " ".join(call)


def _ready(service: Service, variable: Callable[[str], str]) -> str | None:
    ready = service.ready
    if ready is None:
        return None
    head = f"wait_for_service {quote(service.name)} {ready.timeout}"
    if ready.command:
        return f"{head} timeout 10 " + " ".join(words(ready.command, variable))
    port = word(Text((Ref(f"services.{service.name}.port"),)), variable)
    return f"{head} listening_at {port}" if ready.http is None else f"{head} http_answers {port} {quote(ready.http)}"


def lines(target: Target, ranks: Ranks, *, contained: bool) -> tuple[Raw, ...]:
    """The lines of the flow, in the manifest's order; a head's service runs on the head only."""
    out: list[str] = []
    for service in target.services:
        variable = late(target, contained=contained)
        asks_rank = service.on is Where.HEAD and ranks is Ranks.ALL
        steps = [f"take_gpus {service.gpus}"] if service.gpus else []
        steps.append(_start(target, service, variable, indent=4 if asks_rank else 2))
        ready = _ready(service, variable)
        if ready:
            steps.append(ready)
        out += ranks.on_head(steps) if service.on is Where.HEAD else steps
    return tuple(Raw(line) for line in out)
