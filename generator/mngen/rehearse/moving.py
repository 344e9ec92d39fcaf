"""Paths of a launch file where nodes have no root of their own: put below a folder of the rehearsal, line by line.

What every node has for itself begins with a variable that each node knows; the rest, which nodes share or an image
has, stands below one folder.
"""

from __future__ import annotations

import re

from mngen.errors import EnvironmentFailure

FOLDER = "${SIM_FOLDER}"
"""A node's own folder, in the text of a script."""

_PATH = re.compile(r"""((?:^|[\s=(,<>|;&]|(?<!:):|:-)(["']?))(/\w[\w.@%+-]*(?:/[\w.@%+-]+)*)""", re.MULTILINE)
_OWN = re.compile(r"/(?:tmp|dev/(?!null|zero|urandom|random|tty|fd|std|tcp|shm$)|sys/class/)")
_MACHINE = re.compile(r"/(?:dev|proc|sys|usr|bin|sbin|lib\w*)(?:/|$)")
_INTERFACES = "/proc/net/if_inet6"
_COMMENT = re.compile(r"^\s*#(?!SBATCH)")
_PROBE = re.compile(r"""bash -c ": </dev/tcp/(\$\{\w+\})/(\$\{\w+\}|\$\d)\"""")


def moved(text: str, shared: str) -> str:
    """Return a script, or a task, whose paths lead nowhere else than below ``shared`` or a node's own folder.

    bash's own `/dev/tcp` becomes a program that reaches the nodes. Raises ``EnvironmentFailure`` where one is left.
    """
    return "\n".join(line if _COMMENT.match(line) else _line(line, shared) for line in text.split("\n"))


def _line(line: str, shared: str) -> str:
    line = _PROBE.sub(r'sim-connect "\1" "\2"', line)
    if "/dev/tcp/" in line:
        raise EnvironmentFailure(f"only namespaces give bash's /dev/tcp nodes to reach: {line.strip()}")
    return _PATH.sub(lambda match: _put(match, shared), line)


def _put(match: re.Match[str], shared: str) -> str:
    before, quote, path = match.groups()
    if _OWN.match(path):
        return f'{before[:-1]}"{FOLDER}"\'{path}' if quote == "'" else f"{before}{FOLDER}{path}"
    return match[0] if _MACHINE.match(path) and path != _INTERFACES else f"{before}{shared}{path}"
