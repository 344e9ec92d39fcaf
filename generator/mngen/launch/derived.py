"""Variables that a job works out by itself, unless the manifest's ``env`` says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mngen.launch.words import word
from mngen.manifest.fabrics import fabric
from mngen.manifest.model import Target, Variant

_VENDORS = {Variant.CUDA: ("CUDA",), Variant.ROCM: ("HIP", "ROCR")}


def late_variables(target: Target) -> Mapping[str, str]:
    """Return what each node exports after ``env``, where neither that nor the node itself has set it, as shell text.

    The interface is Gloo's and NCCL's; an empty value in ``env`` leaves the choice to them. The transport is NCCL's and
    RCCL's, by name.
    """
    row = fabric(target.network.fabric)
    return {
        "GLOO_SOCKET_IFNAME": "${NODE_INTERFACE}",
        # NCCL takes a bare name for a prefix: eth1 is eth10 too.
        # https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-socket-ifname
        "NCCL_SOCKET_IFNAME": "=${NODE_INTERFACE}",
        **({"NCCL_NET": row.net, **dict(row.env)} if row else {}),
    }


def exports(target: Target) -> list[str]:
    """Return the lines of a node that set what ``env`` does not."""
    set_here = {name for name, _ in target.env}
    derived = late_variables(target).items()
    return [f'export {name}="${{{name}:-{value}}}"' for name, value in derived if name not in set_here]


def kept_switches(target: Target, variable: Callable[[str], str]) -> list[str]:
    """Return the lines that set again what ``check_gpus`` clears because an image may set it.

    Where ``env`` asks that Ray leave the masks alone, the workers choose among the job's GPUs by themselves.
    """
    cleared = {f"RAY_EXPERIMENTAL_NOSET_{vendor}_VISIBLE_DEVICES" for vendor in _VENDORS[target.variant]}
    return [f"export {name}={word(value, variable)} # env has it" for name, value in target.env if name in cleared]


def replaced(target: Target) -> Mapping[str, str]:
    """Return what the job would have set, had ``env`` not done it, by name."""
    derived = {"RAY_USAGE_STATS_ENABLED": "0", **target.mirrors.variables(), **late_variables(target)}
    return {name: derived[name] for name, value in target.env if derived.get(name, value.literal) != value.literal}
