"""The GPU option of one vendor does not serve the other's nodes."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        rocm = (
            "ROCR_VISIBLE_DEVICES" in script.text
            or "HIP_VISIBLE_DEVICES" in script.text
            or "rocm" in script.text.lower()
        )
        for call in script.called("apptainer exec", "apptainer run"):
            if call.options.has("--nv") and rocm:
                yield Found(
                    call.line,
                    "`--nv` brings in NVIDIA's libraries, but this script sets up AMD GPUs",
                    "use `--rocm`",
                    Severity.ERROR,
                )
            elif call.options.has("--nv") or call.options.has("--rocm"):
                flag = "--nv" if call.options.has("--nv") else "--rocm"
                yield Found(
                    call.line,
                    f"`{flag}` is fixed: on the other vendor's nodes the container sees no GPU",
                    "keep one script for each vendor, or choose the option by the device files of the node",
                )


RULE = Rule("MN771", Severity.NOTE, _check)
