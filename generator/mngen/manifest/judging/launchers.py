"""Programs that are told of several nodes: which they are, and what in a command tells them.

Sources: https://docs.pytorch.org/docs/stable/elastic/run.html,
https://huggingface.co/docs/accelerate/package_reference/cli,
https://docs.sglang.io/references/multi_node_deployment/multi_node.html,
https://docs.vllm.ai/en/latest/serving/parallelism_scaling.html,
https://www.deepspeed.ai/getting-started/#launching-deepspeed-training,
https://horovod.readthedocs.io/en/stable/running_include.html, https://docs.open-mpi.org/en/main/man-openmpi/man1/mpirun.1.html.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from mngen.manifest.whole_numbers import whole_number

_BEHIND = 8
"""Among so many words of a command its program is sought: behind ``env``, ``uv run`` and their like."""

_NODES = r"\$\{?(SLURM_NNODES|SLURM_JOB_NUM_NODES|SKYPILOT_NUM_NODES|DSTACK_NODES_NUM)\}?"
"""Variables that hold the number of a job's nodes."""

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_FRONT = frozenset({"exec", "env", "nohup", "time", "command", "then", "do", "else", "{", "("})
_OPERATORS = re.compile(r"[;&|()<>\n]+")
_LOCAL = r"(localhost|127\.0\.0\.1)(:\d+)?"


class Launcher(Struct, frozen=True):
    """How one program is told of nodes."""

    name: str
    counts: tuple[str, ...] = ()
    """Options that say how many nodes; the program waits for that many."""
    hosts: tuple[str, ...] = ()
    """Options that name hosts, on which the program starts others itself."""
    serves: bool = False
    """Whether it is a server, which runs as long as the job."""


class Call(Struct, frozen=True):
    """A launcher in a command, with the word that tells it of nodes."""

    launcher: Launcher
    place: int
    """Where that word stands in the command."""
    count: int | None
    """The number of nodes; ``None`` of a launcher that is told of hosts."""
    option: str


_HOSTS = ("--hostfile", "-hostfile", "--machinefile", "-machinefile", "-H", "--hosts", "-hosts", "-host")
_TORCH = ("torchrun", "torch.distributed.run", "torch.distributed.launch")
_VLLM = ("vllm serve", "vllm.entrypoints.openai.api_server", "vllm.entrypoints.api_server", "vllm.entrypoints.cli.main")
_SGLANG = ("sglang serve", "sglang.launch_server", "dynamo.sglang")
_DEEPSPEED = ("deepspeed", "ds", "deepspeed.launcher.runner")
_MPI = ("mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun", "horovodrun")

LAUNCHERS = {
    one.name: one
    for one in (
        *(Launcher(name, ("--nnodes",)) for name in _TORCH),
        *(Launcher(name, ("--num_machines",)) for name in ("accelerate", "accelerate.commands.launch")),
        *(Launcher(name, ("--num_nodes",), ("--hostfile", "-H")) for name in _DEEPSPEED),
        Launcher("deepspeed.launcher.launch", ("--nnodes",)),
        Launcher("colossalai run", ("--num_nodes",), ("--hostfile", "--host")),
        *(Launcher(name, ("--num_nodes",)) for name in ("fabric run", "lightning run")),
        *(Launcher(name, ("--nnodes",), serves=True) for name in _SGLANG),
        *(Launcher(name, ("--nnodes", "-n"), serves=True) for name in _VLLM),
        *(Launcher(name, (), _HOSTS) for name in _MPI),
    )
}
"""Each by its name, or by its name and its first word; modules as ``python -m`` has them."""

RAY = ("start", "up", "symmetric-run")
"""Commands of ``ray`` that bring up a cluster."""


def calls(words: Sequence[str], nodes: int) -> Iterator[Call]:
    """Yield what tells a launcher of several nodes, in a command's words; ``nodes`` are those of the job."""
    found = _launcher(words)
    if found is None:
        return
    launcher, start = found
    following = [*words[start + 1 :], ""]
    for number, (word, after) in enumerate(pairwise(following), start + 1):
        if launcher.hosts and not launcher.counts and _is_program(word):
            return
        given, equals, value = word.partition("=")
        value = value if equals else after
        if _same(given, launcher.counts):
            count = _count(value, nodes)
            if count is not None and count > 1:
                yield Call(launcher, number, count, given)
        elif given in launcher.hosts and not re.fullmatch(_LOCAL, value):
            yield Call(launcher, number, None, given)


def first(words: Sequence[str]) -> int:
    """Return where a command's own program stands: behind assignments, ``env`` and ``exec``."""
    place = 0
    while place < len(words) and (words[place] in _FRONT or _ASSIGNMENT.match(words[place])):
        place += 1
    return place


def commands_of(script: str) -> Iterator[list[str]]:
    """Yield the words of each command of a shell text, as far as it reads as words; nothing of one that does not."""
    lexer = shlex.shlex(script.replace("\\\n", " ").replace("\n", " ;\n"), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    try:
        for word in lexer:
            if not _OPERATORS.fullmatch(word):
                words.append(word)
            elif words:
                yield words
                words = []
    except ValueError:  # a quote that bash may close in a way of its own
        return
    if words:
        yield words


def _launcher(words: Sequence[str]) -> tuple[Launcher, int] | None:
    """Return the launcher that a command runs, and where it stands; a script in front of it is the program."""
    for place, word in enumerate(words[:_BEHIND]):
        name = word.rpartition("/")[2]
        if name.endswith((".py", ".sh")):
            return None
        pair = f"{name} {words[place + 1]}" if place + 1 < len(words) else ""
        found = LAUNCHERS.get(name) or LAUNCHERS.get(pair)
        if found is not None:
            return found, place
    return None


def _is_program(word: str) -> bool:
    name = word.rpartition("/")[2]
    return name.startswith("python") or name.endswith((".py", ".sh"))


def _same(given: str, options: Sequence[str]) -> bool:
    return given.startswith("-") and given.replace("-", "_") in {option.replace("-", "_") for option in options}


def _count(value: str, nodes: int) -> int | None:
    if re.fullmatch(_NODES, value):
        return nodes
    return whole_number(value.partition(":")[0])
