"""Variables of the node that a manifest names, and that may not be there when they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, note, warning
from mngen.manifest.judging.placed_texts import cluster_texts
from mngen.manifest.judging.raw_variables import raw_variables
from mngen.manifest.judging.shell_syntax import script_placeholder
from mngen.manifest.model import Script, Target
from mngen.manifest.text import Text, spelled

_CLOUD = {"skypilot": "SKYPILOT_", "dstack": "DSTACK_"}
_ASSIGNED = re.compile(r"(?:^|[;&|])[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)=", re.MULTILINE)
_EVERYWHERE = frozenset({"HOME", "PATH", "USER", "LOGNAME", "HOSTNAME", "PWD", "SHELL", "LANG", "TMPDIR", "UID"})


def check(target: Target) -> Iterator[Diagnostic]:
    """Note those that neither every node has nor the manifest hands over, and warn of those that are set too late."""
    texts = [(field, text) for field, text in (*cluster_texts(target), *_others(target)) if text.refs]
    if not texts:
        return
    prefix, known, late = _CLOUD.get(target.kind), _known(target), _set_late(target)
    defaults = {name: value for _, text in texts for name, value in text.defaults}
    for field, text in texts:
        yield from _two_defaults(target, field, text, defaults)
        for ref in text.refs:
            name = ref.removeprefix("env.")
            if not ref.startswith("env.") or name in known:
                continue
            own = script_placeholder(name)
            if own is not None:
                known.add(name)
                message = f"{field} asks the node for {name}, which the script itself finds out later"
                hint = f"write ${{{{ {own} }}}}"
                yield finding(target, "MN301", field, message, hint=hint)
                continue
            if name in late and field != "setup":
                known.add(name)
                message = f"{field} needs {name} of the node, which is read before setup sets it"
                where = "env or host_setup" if prefix is None else "env"
                hint = f"set it in {where}; or write ${name} in a text that a shell reads after setup"
                yield warning(target, "MN301", field, message, hint=hint, other=("setup",))
            elif prefix is not None and not (ref in defaults or name.startswith(prefix) or field.startswith("mounts.")):
                known.add(name)
                message = f"{field} needs {name} of the node, and {target.kind} hands over nothing of your shell"
                hint = f"right if the image sets it; else write env: {{{name}: …}}, or a default: ${{{{ {ref}:-… }}}}"
                yield note(target, "MN301", field, message, hint=hint)


def _two_defaults(target: Target, field: str, text: Text, defaults: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Refuse another default than the one that counts: a node gives a variable one value for the whole target."""
    for ref, value in text.defaults:
        if value != defaults[ref]:
            message = f"{field} gives {ref} the default {value!r}, and another text of this target {defaults[ref]!r}"
            yield finding(target, "MN301", field, message, hint="write one of them in both places")


def _known(target: Target) -> set[str]:
    built = target.built_image
    made = {*built.env.image, *built.env.prepend} if built is not None else set()
    handed = {name for _, name in raw_variables(target)}
    return {*_EVERYWHERE, *(secret.name for secret in target.secrets), *made, *handed}


def _set_late(target: Target) -> set[str]:
    """Return the variables that ``setup`` sets, which runs after the node was asked for them, and nothing before it."""
    before, after = (_assigned(script) for script in (target.host_setup, target.setup))
    return after - before


def _assigned(script: Script | None) -> set[str]:
    return set(_ASSIGNED.findall(spelled(script.text))) if script else set()


def _others(target: Target) -> Iterator[tuple[str, Text]]:
    if target.workdir is not None:
        yield "workdir", target.workdir
    yield from ((f"env_files.{index}", text) for index, text in enumerate(target.env_files))
    for index, mount in enumerate(target.mounts):
        yield from ((f"mounts.{index}.source", mount.source), (f"mounts.{index}.target", mount.target))
