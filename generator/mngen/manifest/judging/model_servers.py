"""How many GPUs a server of vLLM or SGLang takes, by its own words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mngen.manifest.judging.programs import Call
from mngen.manifest.text import Text
from mngen.manifest.whole_numbers import whole_number

_MODULES = ("vllm.entrypoints.", "sglang.launch_server")
_TENSOR = ("--tensor-parallel-size", "-tp", "--tp-size", "--tp")
_PIPELINE = ("--pipeline-parallel-size", "-pp", "--pp-size", "--pp")
_NODES = ("--nnodes",)
# vllm/engine/arg_utils.py has the first two of each, sglang/srt/server_args.py the others, which argparse cuts short.


class Parallel(Struct, frozen=True):
    """A server's GPUs: in all, on each of the nodes that it names, and the words that say so."""

    total: int
    on_a_node: int
    said: str
    field: str


def may_serve(words: Sequence[tuple[str, Text]]) -> bool:
    """Tell whether a command names such a server at all, which costs less to see than what it starts."""
    return any(
        isinstance(part, str) and ("vllm" in part or "sglang" in part) for _, text in words for part in text.parts
    )


def parallel(call: Call) -> Parallel | None:
    """Return what a server's words say of its GPUs; ``None`` of another program, and where they say nothing."""
    served = call.words[0] in {"vllm", "sglang"} and call.words[1:2] == ("serve",)
    if not (served or call.words[0].startswith(_MODULES)):
        return None
    given = [found for names in (_TENSOR, _PIPELINE) if (found := call.option(names)) and _count(found[1])]
    if not given:
        return None
    total = 1
    for _, value, _ in given:
        total *= _count(value)
    nodes = call.option(_NODES)
    over = (_count(nodes[1]) if nodes else 0) or 1
    said = " and ".join(f"{name} {value}" for name, value, _ in given)
    return Parallel(total=total, on_a_node=-(-total // over), said=said, field=given[0][2])


def _count(value: str) -> int:
    return (whole_number(value) or 0) if len(value) < 7 else 0
