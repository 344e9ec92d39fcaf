"""Options of pyxis, the plugin that runs Slurm's steps in containers: on srun and in directives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.script import Script


def pyxis_values(script: Script, option: str) -> Iterator[tuple[str, int]]:
    """Yield the values that a script gives to an option such as ``--container-image``, each with its line."""
    for call in script.called("srun"):
        for value in call.options.values(option):
            yield script.resolve(value), call.line
    for directive in script.directives:
        for word, after in pairwise((*directive.words, "")):
            name, sign, value = word.partition("=")
            if name == option:
                yield value if sign else after, directive.line
