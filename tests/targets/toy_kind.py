"""A toy kind of target: its module, template and definition, and as a module of another package."""

from __future__ import annotations

TOY = '''"""A toy: one script that runs the driver."""

from mngen.diagnostics import Diagnostic, Severity
from mngen.launch.names import expression
from mngen.launch.words import words
from mngen.plan import Language, PlannedFile, Raw

kind = "toy"
api = 1


def notes(target, manifest):
    if not target.services:
        return []
    return [Diagnostic("MN250", Severity.NOTE, "services have no effect", target.span("services"), "remove them")]


def plan(target, manifest):
    argv = Raw(" ".join(words(target.driver.argv, expression(inside=False))))
    queue = target.raw.get("queue", "toys")
    context = {"argv": argv, "queue": queue, "text": Raw(f"#!/bin/bash\\necho 'queue {queue}'\\nexec {argv}")}
    return (
        PlannedFile(
            path=f"{target.name}/run.sh",
            language=Language.BASH,
            template=TEMPLATE,
            context=context,
            mode=0o755,
            group=target.name,
        ),
    )


def usage(target, manifest):
    return (("Play", f"bash {target.name}/run.sh"),)


'''
TEMPLATE = '#!/usr/bin/env bash\nreadonly QUEUE={{ queue }}\necho "${QUEUE}"\nexec {{ argv }}\n'
DEFINITION = {
    "description": "A target for play.",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        **{key: {"$ref": f"#/definitions/{key}"} for key in ("kind", "driver", "resources", "services", "env")},
        "raw": {
            "description": "The toy's own settings.",
            "type": "object",
            "additionalProperties": False,
            "properties": {"queue": {"description": "A queue.", "type": "string", "enum": ["toys", "games"]}},
        },
    },
    "examples": [{"kind": "toy"}],
}
MANIFEST = """\
apiVersion: mngen/v1
name: play
network: {fabric: ib}
driver: {command: [echo, "it's played"]}
targets:
  first: {kind: toy, raw: {queue: games}}
  second: {kind: slurm}
"""


def other(**changes: str) -> str:
    """The toy as a module of another package; templates are mngen's, and ``text.j2`` takes any text."""
    text = TOY + f'TEMPLATE = "text.j2"\nschema = {DEFINITION!r}\n'
    for old, new in changes.items():
        assert CHANGED[old] in text
        text = text.replace(CHANGED[old], new)
    return text


CHANGED = {
    "imports": "from mngen.launch.names",
    "api": "api = 1",
    "usage": "def usage",
    "reference": "#/definitions/driver",
    "type": "'type': 'string'",
    "own": "schema = ",
}
