"""The kernel is the host's: its modules have no place in an image."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_MANAGERS = ("apt-get", "apt", "dnf", "yum", "microdnf", "zypper", "apk")
_PACKAGE = re.compile(
    r"^(?:linux-(?:image|headers|modules)(?:-.+)?|kernel(?:-(?:core|devel|modules|headers))?(?:-\d.*)?|dkms|"
    r"[\w-]+-dkms|kmod-.+|nvidia-(?:driver|kernel)[\w.-]*)(?:=.*)?$"
)
_INSTALLERS = {
    "efa_installer.sh": ("--skip-kmod", "-k"),
    "amdgpu-install": ("--no-dkms",),
    "mlnxofedinstall": ("--user-space-only",),
}
"""Vendors' installers, with the option that leaves their kernel module out."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.steps:
        for call in script.calls:
            yield from _packages(call)
            options = _INSTALLERS.get(call.program)
            if options is not None and not set(options) & set(call.texts):
                yield Found(
                    call.line,
                    f"`{call.program}` installs a kernel module too: an image has no kernel, the host's is used",
                    f"pass `{options[0]}`; the module belongs to the nodes",
                )


def _packages(call: Call) -> Iterator[Found]:
    if call.program not in _MANAGERS or not {"install", "add", "in"} & set(call.texts):
        return
    for word in call.words:
        if _PACKAGE.match(word.text):
            yield Found(
                word.line,
                f"`{word.text}` is a part of the kernel or a module for it: an image has no kernel, the host's is used",
                "remove it; the nodes have the module, and the image needs the libraries for programs alone",
            )


RULE = Rule("MN905", Severity.WARNING, _check)
