"""Several device lists are applied one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_MASKS = ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        lines: dict[str, int] = {}
        for assign in (assign for command in script.commands for assign in command.assigns):
            if assign.name in _MASKS and assign.value.text:
                lines.setdefault(assign.name, assign.line)
        for call in script.containers("run") + script.containers("exec"):
            for value in call.options.values("--env"):
                name, _, text = value.partition("=")
                if name in _MASKS and text:
                    lines.setdefault(name, call.line)
        if len(lines) > 1:
            names = [name for name in _MASKS if name in lines]
            yield Found(
                max(lines.values()),
                f"{', '.join(names)} together: each list renumbers the devices of the one before, and Ray refuses ROCR "
                "beside another from 2.45 on",
                "keep one: HIP_VISIBLE_DEVICES on AMD (unset ROCR_VISIBLE_DEVICES, which Slurm sets), none on NVIDIA",
            )


RULE = Rule("MN785", Severity.ERROR, _check)
