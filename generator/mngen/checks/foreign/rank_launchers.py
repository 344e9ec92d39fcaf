"""Programs that start the processes of one node and wait for those of the other nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.interpreters import is_python
from mngen.checks.foreign.script import Script
from mngen.manifest.whole_numbers import whole_number

_MODULES = {
    "torch.distributed.run": "torchrun",
    "torch.distributed.launch": "torchrun",
    "accelerate.commands.launch": "accelerate launch",
    "sglang.launch_server": "sglang",
    "vllm.entrypoints.openai.api_server": "vllm",
}
_SUBCOMMANDS = {"accelerate": ("launch", "accelerate launch"), "vllm": ("serve", "vllm"), "sglang": ("serve", "sglang")}
_NODES = ("--nnodes", "--num-machines", "--num-nodes")
_RANKS = ("--node-rank", "--machine-rank")
_ALL_NODES = re.compile(r"\$\{?SLURM_(?:JOB_NUM_NODES|NNODES)\b[^}]*\}?")


class RankLauncher(Struct, frozen=True):
    """One call of such a program: its name as people say it, and its options, with dashes in their names."""

    call: Call
    name: str
    options: dict[str, str]

    @property
    def has_rank(self) -> bool:
        """Tell whether it is given the number of its node."""
        return any(name in self.options for name in _RANKS)

    def nodes(self, script: Script, of_job: int | None) -> int | None:
        """Return for how many nodes it waits; the variable of Slurm stands for those of the job."""
        value = next((self.options[name] for name in _NODES if name in self.options), "")
        value = script.resolve(value)
        return of_job if _ALL_NODES.fullmatch(value) else whole_number(value)


def rank_launchers(script: Script) -> Iterator[RankLauncher]:
    """Yield the calls of such programs in a script."""
    for call in script.calls:
        found = _named(call)
        if found is not None:
            name, words = found
            yield RankLauncher(call, name, dict(_options(words, whole=name in {"sglang", "vllm"})))


def _named(call: Call) -> tuple[str, tuple[str, ...]] | None:
    """Return the name of the program and the words after it."""
    texts = call.texts
    if call.program == "torchrun":
        return "torchrun", texts
    if call.program in _SUBCOMMANDS:
        word, name = _SUBCOMMANDS[call.program]
        return (name, texts[1:]) if texts[:1] == (word,) else None
    if is_python(call.program):
        place = next((number for number, text in enumerate(texts) if text == "-m" or not text.startswith("-")), 0)
        module = "".join(texts[place + 1 : place + 2]) if texts[place : place + 1] == ("-m",) else ""
        return (_MODULES[module], texts[place + 2 :]) if module in _MODULES else None
    return None


def _options(words: tuple[str, ...], *, whole: bool) -> Iterator[tuple[str, str]]:
    """Yield the options up to the program that is started, each with its value, or the word behind it."""
    for number, word in enumerate(words):
        if not whole and (word.endswith(".py") or word in {"-m", "--module"}):
            return
        if word.startswith("--"):
            name, sign, value = word.partition("=")
            yield name.replace("_", "-"), value if sign else "".join(words[number + 1 : number + 2])
