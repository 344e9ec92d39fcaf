"""What a build amounts to, whichever file asked for it."""

from __future__ import annotations

from dataclasses import dataclass, field

NOISE = ("apt-get update", "apt-get clean", "rm -rf /var/lib/apt/lists/*", "rm -f /etc/apt/apt.conf.d/docker-clean")
"""Upkeep of package caches, which leaves nothing in an image."""


@dataclass
class Stage:
    """One stage: everything that happens, each with the variables and the folder that it happens in."""

    name: str = ""
    base: str = ""
    actions: list[tuple] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    """Variables while building."""
    shipped: dict[str, str] = field(default_factory=dict)
    """Variables at run time."""
    cwd: str = "/"
    user: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)
    tests: list[tuple[str, str]] = field(default_factory=list)
    start: str = ""

    def act(self, *action) -> None:
        """Record one action with the folder of that moment and, where a program of the user's runs, the variables."""
        env = () if action[0] in {"copy", "write"} else tuple(sorted(self.env.items()))
        self.actions.append((*action, self.cwd, env))


def run(stage: Stage, command) -> None:
    """Record a command that means the same in both formats."""
    words = command.words
    line = " ".join(words)
    if line in NOISE or not words:
        return
    if words[0] == "mkdir":
        return
    if words[0] == "printf" and command.output:
        assert words[1] == "%s\\n"
        stage.act("write", command.output, "".join(f"{word}\n" for word in words[2:]))
    elif words[0] == "bash":
        text = command.documents.get(3)
        if text is None:
            assert words[1:4] == ["-euo", "pipefail", "-c"]
            text = words[4]
        else:
            assert words[1:] == ["-euo", "pipefail", "/dev/fd/3"]
        stage.act("script", text.rstrip("\n"))
    elif words[:3] == ["apt-get", "install", "-y"]:
        stage.act("apt", tuple(words[4:]))
    elif words[:4] == ["python3", "-m", "pip", "install"]:
        rest = tuple(word for word in words[4:] if word != "--no-cache-dir")
        stage.act("pip", rest, tuple(sorted(command.assignments.items())))
    else:
        stage.act("run", tuple(words), tuple(sorted(command.assignments.items())))
