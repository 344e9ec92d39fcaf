"""A variable of the cluster in an image wins over the cluster's own value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_CLUSTER = re.compile(
    r"(?<![\w$])(NCCL_SOCKET_IFNAME|GLOO_SOCKET_IFNAME|NCCL_IB_HCA|MASTER_ADDR|MASTER_PORT|RAY_[A-Za-z0-9_]+|"
    r"VLLM_HOST_IP|(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES)(?:=|\s+\S)"
)


def _check(document: Document) -> Iterator[Found]:
    for instruction in document.instructions:
        if instruction.word not in {"ENV", "ENVIRONMENT"}:
            continue
        for match in _CLUSTER.finditer(instruction.text):
            yield Found(
                instruction.line + instruction.text[: match.start()].count("\n"),
                f"{match.group(1)} belongs to the cluster; baked into the image it wins over the job's value "
                "under Apptainer "
                "and pyxis",
                "set it where the job starts",
            )


RULE = Rule("MN707", Severity.ERROR, _check)
