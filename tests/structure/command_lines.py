"""The command lines of launchers, engines and Ray in a rendered file, with its variables filled in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from mngen.checks.foreign.commands import flatten, parse
from mngen.checks.foreign.words import Command, Word

PROGRAMS = {"sbatch", "srun", "scontrol", "squeue", "scancel", "sacct", "docker", "podman", "apptainer", "singularity"}
PROGRAMS |= {"ray", "sky", "dstack"}

FROM_THE_CLUSTER = {
    "NODES": "2",
    "NODE_RANK": "0",
    "HEAD_IP": "10.0.0.1",
    "NODE_IP": "10.0.0.2",
    "HEAD_ADDRESS": "10.0.0.1:10240",
    "LOOPBACK": "127.0.0.1",
    "CPUS": "8",
    "JOB_DIR": "/tmp/mngen-1000-0",
    "SLURM_CPUS_ON_NODE": "8",
    "address": "http://127.0.0.1:8265",
    "job": "1000",
    "first": "10240",
    "workers": "18432",
    "PORT_BLOCK": "0",
    "ids": "0",
    "cpus": "0-7",
    "memory": "2048",
}
"""What only a cluster knows, by variable; any other is `x`. Ports are reckoned from the first of a block."""

NAME = r"[A-Za-z_]\w*"
PLACEHOLDER = re.compile(
    rf"\$\(\((?P<sum>[^()]*(?:\([^()]*\)[^()]*)*)\)\)|\$\{{(?P<given>{NAME}):\+(?P<then>[^}}]*)\}}"
    rf"|\$\{{!?(?P<name>{NAME})[^}}]*\}}|\$(?P<short>{NAME})"
)
ARRAY = re.compile(rf"^\$\{{({NAME})\[@\]\}}$")
TEXT_TO_FOLLOW = re.compile(r"^\s+\w+:\s{2,}(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Line:
    """One call of a program: where it stands, and its words."""

    path: Path
    number: int
    words: tuple[str, ...]


class Reader:
    """Reads one shell text."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.commands = list(_with_substitutions(flatten(parse(text))))
        self.values: dict[str, str] = {}
        self.arrays: dict[str, list[str]] = defaultdict(list)
        self.lists: dict[str, list[tuple[Word, ...]]] = defaultdict(list)
        for command in self.commands:
            self._remember(command)

    def _remember(self, command: Command) -> None:
        declared = [word for word in command.words if "=(" in word.raw or "=" in word.raw]
        for assign in command.assigns:
            name = assign.name.removesuffix("+")
            if assign.value.items is not None:
                self.arrays[name] += [item.text for item in assign.value.items]
                if assign.append:
                    self.lists[name][0] += tuple(assign.value.items)  # what the head alone gets
                else:
                    self.lists[name].append(tuple(assign.value.items))
            elif assign.value.text and "$" not in assign.value.text:
                self.values.setdefault(name, assign.value.text)
        for word in declared:
            if word.items is not None:
                name = word.raw.partition("=")[0].removesuffix("+")
                self.arrays[name] += [item.text for item in word.items]

    def lines(self) -> Iterator[Line]:
        """Every call, once for each way that a function passes its arguments on."""
        for command in self.commands:
            calls = self._roles(list(command.words)) if PROGRAMS & {w.text for w in command.words} else []
            for words in calls:
                texts = [text for word in words for text in self._expanded(word)]
                texts = texts[2:] if texts[0] == "start_part" else texts
                start = next((place for place, text in enumerate(texts) if text in PROGRAMS), None)
                if start is not None and _is_command(texts[:start]):
                    yield Line(self.path, command.line, tuple(texts[start:]))
            for redirect in command.redirects:
                yield from self._told(redirect.body or "", command.line)

    def _roles(self, words: list[Word]) -> Iterator[list[Word]]:
        """`ray start "${role[@]}"` is called once for each list that the script has for it."""
        place = next((place for place, word in enumerate(words) if word.text == "${role[@]}"), None)
        if place is None:
            yield words
            return
        for items in self.lists["role"]:
            yield [*words[:place], *items, *words[place + 1 :]]

    def _told(self, text: str, number: int) -> Iterator[Line]:
        """Commands that a script prints for its user."""
        for found in TEXT_TO_FOLLOW.finditer(text):
            words = self._filled(found[1]).split()
            if words and words[0] in PROGRAMS:
                yield Line(self.path, number, tuple(words))

    def _expanded(self, word: Word) -> list[str]:
        array = ARRAY.match(word.text)
        if array:
            return [self._filled(text) for text in self.arrays[array[1]]]
        text = re.sub(r"\$\((?!\().*\)", "1000", word.text)
        filled = self._filled(text)
        return filled.split() if word.bare and ":+" in word.text else [filled]

    def _filled(self, text: str) -> str:
        return PLACEHOLDER.sub(self._value, text)

    def _value(self, found: re.Match[str]) -> str:
        if found["sum"] is not None:
            terms = re.sub(NAME, lambda name: self._named(name[0]), found["sum"])
            return str(eval(terms, {"__builtins__": {}}))
        if found["given"]:
            return found["then"]
        return self._named(found["name"] or found["short"])

    def _named(self, name: str) -> str:
        port = re.fullmatch(r"(GCS|DASHBOARD|CLIENT)_PORT", name)
        if port:
            return str(10240 + ("GCS", "DASHBOARD", "CLIENT").index(port[1]))
        return FROM_THE_CLUSTER.get(name) or self.values.get(name) or "x"


def _with_substitutions(commands: Iterator[Command]) -> Iterator[Command]:
    """Add the commands inside `${NAME:-$(…)}`, where the scanner does not look."""
    for command in commands:
        yield command
        words = [*command.words, *(one.value for one in command.assigns), *(one.target for one in command.redirects)]
        for word in words:
            for inner in _parenthesized(word.text):
                yield from _with_substitutions(flatten(parse(inner, command.line)))


def _parenthesized(text: str) -> Iterator[str]:
    for found in re.finditer(r"(?<=:-)\$\((?!\()", text):
        depth = 1
        for place in range(found.end(), len(text)):
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            if depth == 0:
                yield text[found.end() : place]
                break


def _is_command(before: list[str]) -> bool:
    """Whether words may stand in front of a program: none, or those that start it."""
    return not before or before[0] in {"exec", "env", "timeout", "if", "!", "wait_for_service"}


def texts(path: Path) -> Iterator[str]:
    """The shell texts of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in {".sh", ".sbatch"}:
        yield text
    elif path.suffix in {".yaml", ".yml"}:
        data = yaml.load(text, Loader=yaml.CSafeLoader)
        for key in ("run", "setup", "commands"):
            value = data.get(key) or ""
            yield value if isinstance(value, str) else "\n".join(value)
    elif path.name == "README.md":
        yield from re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def command_lines(path: Path) -> list[Line]:
    """Every call in a file."""
    return [line for text in texts(path) for line in Reader(path, text).lines()]
