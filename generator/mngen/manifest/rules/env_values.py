"""Values of variables that cannot mean what they seem to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Target
from mngen.manifest.text import Text
from mngen.manifest.token_shapes import named_like_secret

_USES = re.compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)[}:])")


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse an exclusion list for Gloo; warn about ``PATH: …:$PATH``, which stays a dollar sign."""
    for name, text in target.env:
        value = text.literal
        if value is None:
            yield from _of_the_node(target, name, text)
            continue
        field = f"env.{name}"
        if name == "GLOO_SOCKET_IFNAME" and value[:1] in {"^", "="}:
            yield finding(
                target,
                "MN263",
                field,
                f"{name} is {value!r}: Gloo takes names of interfaces, not NCCL's {value[:1]} notation, and every "
                "process would exit with 'Unable to find address'",
                hint="remove it (network.interface sets it with NCCL's), or name one interface; "
                "NCCL_SOCKET_IFNAME may keep this value",
            )
        if name in {plain or braced for plain, braced in _USES.findall(value)}:
            yield warning(
                target,
                "MN264",
                field,
                f"{name} is {value!r}; env values are literal, so ${name} is not replaced",
                hint=_instead(name, value),
            )


def _of_the_node(target: Target, name: str, text: Text) -> Iterator[Diagnostic]:
    """Warn about ``PATH: /x:${{ env.PATH }}``: the node's own is not the image's, whose programs would be gone."""
    added = "".join(part for part in text.parts if isinstance(part, str)).strip(": ")
    if target.kind in {"slurm", "manual"} and target.runtime.is_container and added and f"env.{name}" in text.refs:
        message = f"{name} is made of the node's own {name}, which then stands in the place of the image's"
        inside = "".join(part if isinstance(part, str) else f"${name}" for part in text.parts)
        hint = f"write it in setup, which runs inside: export {name}={inside}"
        yield warning(target, "MN264", f"env.{name}", message, hint=hint)


def _instead(name: str, value: str) -> str:
    if named_like_secret(name) and _USES.match(value):
        return f"remove it and write secrets: {{{name}: {{}}}}, which hands the value to each node"
    return f"export it in setup, which is shell text: export {name}={value}"
