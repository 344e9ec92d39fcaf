"""Slurm's host list expressions."""

import re

from simlib.options import RefusedError

MAX_RANGE = 64 * 1024
"""What Slurm expands; its hostlist.c takes more for a mistake: https://github.com/SchedMD/slurm"""


def _split(text: str) -> list[str]:
    parts, depth, word = [], 0, ""
    for char in text:
        depth += {"[": 1, "]": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append(word)
            word = ""
        else:
            word += char
    if depth:
        raise RefusedError("Invalid hostlist: " + text)
    return [part for part in [*parts, word] if part]


def _numbers(text: str) -> list[str]:
    found = []
    for item in text.split(","):
        low, dash, high = item.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise RefusedError("Invalid hostlist: " + text)
        numbers = range(int(low), int(high if dash else low) + 1)
        if len(numbers) > MAX_RANGE:
            raise RefusedError("Too many hosts in range: " + text[:40])
        found += [str(number).zfill(len(low)) for number in numbers]
    return found


def expand(text: str) -> list[str]:
    """`gpu-[0,2-3],login` to names, order and leading zeros kept."""
    names = []
    for part in _split(text):
        match = re.fullmatch(r"([^\[\]]*)\[([^\[\]]*)\](.*)", part)
        if match is None:
            names.append(part)
            continue
        for number in _numbers(match[2]):
            names += [match[1] + number + rest for rest in (expand(match[3]) if match[3] else [""])]
    return names


def compress(names: list[str]) -> str:
    """Names to the shortest usual expression: runs of numbers with one prefix share a bracket."""
    groups: list[tuple[str, list[str]]] = []
    for name in names:
        match = re.fullmatch(r"(.*?)(\d+)", name)
        prefix, number = (match[1], match[2]) if match else (name, "")
        if number and groups and groups[-1][0] == prefix and groups[-1][1] and len(groups[-1][1][0]) == len(number):
            groups[-1][1].append(number)
        else:
            groups.append((prefix, [number] if number else []))
    return ",".join(prefix + _ranges(numbers) for prefix, numbers in groups)


def _ranges(numbers: list[str]) -> str:
    if len(numbers) <= 1:
        return "".join(numbers)
    runs: list[list[str]] = []
    for number in numbers:
        if runs and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "[" + ",".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs) + "]"
