"""A cluster whose nodes are plain processes of the user's, for machines that let nobody make namespaces.

Each node has a folder, a name and an address of loopback. Programs that come first on PATH tell of them, and the
launch file's paths are changed to lead there; what the kernel alone could play is left out, and said.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from mngen.errors import EnvironmentFailure
from mngen.rehearse import layout, moving
from mngen.rehearse.cluster import Cluster
from mngen.rehearse.namespaces import ALLOW, unshare_command

WAYS = ("auto", "namespaces", "processes")
"""What nodes may be."""
NO_NETWORK = "plain processes share this machine's network, which cannot be cut"
"""Why a node of plain processes does not fall silent."""
_END_S = 20


def why_plain(way: str) -> str:
    """Return why nodes are plain processes here, nothing where they are namespaces.

    Raises ``EnvironmentFailure`` where there is no Linux, or namespaces are insisted on and cannot be had.
    """
    if sys.platform != "linux":
        raise EnvironmentFailure("this machine cannot play nodes", hint=ALLOW)
    if way == "processes":
        return "as asked for"
    try:
        unshare_command()
        layout.find_ip()
    except EnvironmentFailure as error:
        if way == "namespaces" or not Path("/proc/self/environ").exists():
            raise
        return str(error)
    return ""


def refuse(reason: str) -> EnvironmentFailure:
    """Return the error for what only namespaces keep away from this machine."""
    asked = not why_plain("auto")
    hint = "leave --nodes-as processes out: this machine makes namespaces" if asked else ALLOW
    return EnvironmentFailure(f"{reason}, and here nodes are plain processes", hint=hint)


class PlainCluster(Cluster):
    """The same, made of plain processes."""

    lab_module = "plain_lab"
    hidden = frozenset(("pkill", "killall", "skill", "fuser"))
    """What ends processes by name would find those of this machine."""

    def _write(self) -> None:
        chosen, self.shared = self.options, self.top / "shared"
        for folder in chosen.writable:
            if self.moved(folder) == folder:  # a folder of programs, which nodes share with this machine
                raise refuse(f"the file writes in {folder}")
        fresh = {path if path.startswith("/tmp/") else self.moved(path): text for path, text in chosen.fresh.items()}
        self.options = replace(chosen, fresh=fresh)
        image: dict[str, str | None] = dict.fromkeys(("/root", *chosen.writable, *chosen.image.get("folders", ())))
        image.update(chosen.image.get("files", {}))
        for path in (*image, *chosen.fresh):
            if self.moved(path) == path and not os.path.exists(path):  # noqa: PTH110 - Path raises where it may not look
                raise refuse(f"the file needs {path}, which this machine has not")
        for path, text in {**{self.moved(path): text for path, text in image.items()}, **fresh}.items():
            if path.startswith(f"{self.shared}/"):
                _make(Path(path), text)
        (self.root / "nodes/login/tmp").mkdir(parents=True)
        super()._write()
        (self.root / "nodes/login/hosts").write_text("127.0.0.1 localhost\n")
        layout.add_plain(self.root)
        _make(self.shared / "proc/net/if_inet6", self._interfaces())

    def _own_settings(self) -> dict[str, Any]:
        # Of 127/8 another rehearsal, or another user's, hardly has the same.
        first, second = (64 + byte % 128 for byte in os.urandom(2))
        table = {
            name: {
                "own": f"127.{first}.{second}.{number}",
                "lo": f"127.{first}.{second}.{100 + number}",
                "addresses": [a for nic in range(self.net.nics) for a in self.net.addresses(number, nic)],
            }
            for number, name in enumerate(self.names, start=1)
        }
        login = {"own": f"127.{first}.{second}.250", "lo": "127.0.0.1", "addresses": []}
        return {
            "plain": True,
            "farm": str(self.farm),
            "shared": str(self.shared),
            "loopback": {**table, "login": login},
        }

    def _interfaces(self) -> str:
        """What the kernel would show of the nodes' addresses of IPv6, see proc_pid_net(5)."""
        rows = (line.split() for number in range(1, len(self.names) + 1) for line in self.net.node(number)["ip_batch"])
        held = [(words[2].partition("/")[0], words[4]) for words in rows if words[:2] == ["addr", "add"]]
        return "".join(f"{int(ip_address(own)):032x} 02 40 00 80 {name}\n" for own, name in held if ":" in own)

    def _command(self) -> tuple[str, ...]:
        return ()

    def moved(self, text: str) -> str:
        """A text of the launch file, with paths that lead to the folder of a node or to that of all nodes."""
        return moving.moved(text, str(self.shared))

    def shown(self, text: str) -> str:
        """What the nodes said, with paths as the launch file has them."""
        return re.sub(rf"{re.escape(str(self.root))}/nodes/[\w.-]+", "", text.replace(str(self.shared), ""))

    def _end(self, lab: subprocess.Popen[bytes]) -> None:
        """Let the first process end all others; nothing else would when it is killed."""
        if lab.stdin is not None:
            lab.stdin.close()
        try:
            lab.wait(_END_S)
        except subprocess.TimeoutExpired:
            super()._end(lab)


def _make(path: Path, text: str | None) -> None:
    (path if text is None else path.parent).mkdir(parents=True, exist_ok=True)
    if text is not None:
        path.write_text(text)
