"""A variable of the launch in an image wins over the launch's own value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.stages import settings
from mngen.diagnostics import Severity

_OF_THE_IMAGE = (
    "USAGE_STATS_ENABLED|DEDUP_LOGS|COLOR_PREFIX|ENABLE_UV_RUN_RUNTIME_ENV|RUNTIME_ENV_HOOK|memory_\\w+|DATA_\\w+|"
    "TRAIN_\\w+|TUNE_\\w+|SERVE_\\w+|AIR_\\w+"
)
"""Settings of Ray that say how programs of the image work, and nothing of a cluster."""
_OF_THE_LAUNCH = re.compile(
    r"^(?:MASTER_(?:ADDR|PORT)|(?:LOCAL_|NODE_|GROUP_)?RANK|(?:LOCAL_)?WORLD_SIZE|NNODES|"
    rf"RAY_(?!(?:{_OF_THE_IMAGE})$)\w+|VLLM_HOST_IP|VLLM_PORT|"
    r"(?:CUDA|HIP|ROCR|ASCEND_RT)_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL|"
    r"(?:NCCL|GLOO|TP)_SOCKET_IFNAME|NCCL_IB_(?:HCA|GID_INDEX)|UCX_NET_DEVICES|SLURM_\w+|SKYPILOT_\w+|DSTACK_(?:NODE|NODES|MASTER|GPUS|RUN)_\w+)$"
)
_WRITTEN = re.compile(r"\b(?:export\s+)?([A-Z][A-Z0-9_]+)=(\S*?)(?:\\n|[\"'\s]|$)")
_PROFILES = (
    "bashrc",
    "/etc/profile",
    "/etc/environment",
    ".profile",
    "$APPTAINER_ENVIRONMENT",
    "$SINGULARITY_ENVIRONMENT",
)
_HINT = "set it where the job starts, on the node that knows it"


def _check(document: Document) -> Iterator[Found]:
    for part in document.instructions:
        for item in settings(part):
            # `^docker0,lo` leaves devices out, which holds on every node.
            if item.lasting and item.value and not item.value.startswith("^") and _OF_THE_LAUNCH.match(item.name):
                yield _found(item.line, item.name)
    for script in document.steps:
        for command in script.commands:
            if any(
                redirect.target.text.endswith(_PROFILES) or "/etc/profile.d/" in redirect.target.text
                for redirect in command.redirects
            ):
                yield from _in_profile(" ".join(command.args), command.line)


def _in_profile(text: str, line: int) -> Iterator[Found]:
    for match in _WRITTEN.finditer(text):
        if _OF_THE_LAUNCH.match(match.group(1)):
            yield _found(line, match.group(1))


def _found(line: int, name: str) -> Found:
    return Found(
        line,
        f"{name} belongs to the launch: baked into the image it stands in every job, and wins over the job's own "
        "value under Apptainer and pyxis",
        _HINT,
        at=name,
    )


RULE = Rule("MN707", Severity.ERROR, _check)
