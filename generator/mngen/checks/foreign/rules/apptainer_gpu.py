"""The GPU option of one vendor does not serve the other's nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity

_MASKS = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"}
_AMD = re.compile(r"rocm|/dev/kfd|\bmi\d{3}|gfx\d", re.IGNORECASE)
_TYPED = re.compile(
    r"gpu(?:s-per-node|s|s-per-task)?[=: ]\w*[a-z]\w*|--(?:constraint|gres)[= ]\S*[a-z]+\d|-C\b", re.IGNORECASE
)
"""A directive that names the model of GPU, and with it the vendor."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.called("apptainer exec", "apptainer run"):
            if call.options.has("--nv") and _for_amd(script, call.options.operands[:1]):
                yield Found(
                    call.line,
                    "`--nv` brings in NVIDIA's libraries, but this script sets up AMD GPUs",
                    "use `--rocm`",
                    Severity.ERROR,
                )
            elif (call.options.has("--nv") or call.options.has("--rocm")) and not _says_hardware(script):
                flag = "--nv" if call.options.has("--nv") else "--rocm"
                yield Found(
                    call.line,
                    f"`{flag}` is fixed, and no directive names the model of GPU: on the other vendor's nodes the "
                    "container sees none",
                    "name the model in the request (`--gpus-per-node=h100:8`, `--constraint`), or choose the option by "
                    "the device files of the node",
                )


def _for_amd(script: Script, image: tuple[str, ...]) -> bool:
    """Tell whether the script is for AMD: a list of its devices, its image or its module. ``unset`` says nothing."""
    lists = any(
        assign.name in _MASKS and assign.value.text for command in script.commands for assign in command.assigns
    )
    modules = [text for call in script.called("module", "ml") for text in call.texts]
    return lists or any(_AMD.search(text) for text in (*image, *modules))


def _says_hardware(script: Script) -> bool:
    words = [word for directive in script.directives for word in directive.words]
    return any(_TYPED.search(word) for word in words) or "/dev/kfd" in script.text or "/dev/nvidia" in script.text


RULE = Rule("MN771", Severity.NOTE, _check, choice=True)
