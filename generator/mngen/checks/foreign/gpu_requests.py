"""How many GPUs of a node a job or a step asks for."""

from __future__ import annotations

from mngen.checks.options import Parsed
from mngen.manifest.whole_numbers import whole_number


def gpus_of_a_node(options: Parsed) -> int | None:
    """Return the number in ``--gpus-per-node=4``, ``--gres=gpu:a100:4`` and the like; ``None`` where none is told.

    A request without a number is for one (sbatch(1), ``--gres``); one for several models is no single number.
    """
    gres = (part.removeprefix("gres/").replace("=", ":") for part in (options.value("--gres") or "").split(","))
    wanted = [part.split(":")[1:] for part in gres if part.split(":")[0] == "gpu"]
    per_node = options.value("--gpus-per-node")
    wanted += [part.split(":") for part in per_node.split(",")] if per_node else []
    if len(wanted) != 1:
        return None
    last = wanted[0][-1].partition("(")[0] if wanted[0] else "1"
    number = whole_number(last)
    # A word is the name of a model; a variable, or `2K`, says nothing here.
    return 1 if number is None and last[:1].isalpha() else number
