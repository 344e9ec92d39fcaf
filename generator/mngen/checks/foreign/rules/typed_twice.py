"""A count that is typed in two places is wrong in one of them some day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.gpu_requests import gpus_of_a_node
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity

_COUNT = re.compile(r"^[+]{0,2}trainer\.(nnodes|n_gpus_per_node)=(\d+)$")


def _check(document: Document) -> Iterator[Found]:
    declared = _declared(document)
    if not declared:
        return
    for script in document.scripts:
        for command in script.commands:
            for word in command.words:
                match = _COUNT.match(word.text)
                known = declared.get(match.group(1)) if match else None
                if match is None or known is None:
                    continue
                same = known == match.group(2) or _is_shared(script, match.group(1))
                yield Found(
                    word.line,
                    f"`{word.text}` repeats a count of this file by hand"
                    + ("" if same else f", and differs: the file asks for {known}"),
                    "take it from the launcher's variable, so that there is one place to change",
                    None if same else Severity.ERROR,
                )


def _is_shared(script: Script, name: str) -> bool:
    """Tell whether parts of the driver get shares of a count: ``rollout.n_gpus_per_node`` beside the trainer's."""
    parts = {match.group(1) for word in _words(script) if (match := re.match(rf"[+]{{0,2}}([\w.]+)\.{name}=", word))}
    return bool(parts - {"trainer"})


def _words(script: Script) -> Iterator[str]:
    return (word.text for command in script.commands for word in command.words)


def _declared(document: Document) -> dict[str, str]:
    nodes = document.get("num_nodes") or document.get("nodes")
    found = {"nnodes": nodes.text} if nodes is not None and nodes.text else {}
    accelerators = document.get("resources", "accelerators") or document.get("resources", "gpu")
    if accelerators is not None and accelerators.text:
        count = accelerators.text.rpartition(":")[2]
        if count.isdigit():
            found["n_gpus_per_node"] = count
    for script in document.scripts:
        if script.directives and (value := script.slurm.value("--nodes")):
            found["nnodes"] = value
        if script.directives and (gpus := gpus_of_a_node(script.slurm)) is not None:
            found["n_gpus_per_node"] = str(gpus)
    return found


RULE = Rule("MN745", Severity.NOTE, _check)
