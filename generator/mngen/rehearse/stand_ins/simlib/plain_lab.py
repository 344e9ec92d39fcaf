"""The first process of a simulation whose nodes are plain processes: all of them are below it, and end with it."""

import os
import shutil
from pathlib import Path

from simlib import devices, kernel
from simlib.lab import Lab


class PlainLab(Lab):
    """The same server, where no namespaces can be made."""

    def start_nodes(self) -> None:
        """Lay out the nodes' folders; orphans of theirs come to this process."""
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        vendor = self.sim.config["vendor"]
        for node in self.sim.config["nodes"]:
            home = self.sim.root / "nodes" / node["name"]
            for name in (*devices.gpu_devices(vendor, list(range(node["gpus"]))), *node.get("devices", ())):
                path = Path(f"{home}{name}")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            devices.kernel_classes(home / "sys/class", node, vendor)

    def enter(self, node: str | None) -> None:
        """Tell this process where it is."""
        os.environ["SIM_NODE"] = node or "login"
        os.environ["SIM_FOLDER"] = str(self.sim.root / "nodes" / os.environ["SIM_NODE"])

    def node_of(self, pid: int) -> str:
        """The node in a process's environment, or in that of the nearest above it."""
        try:
            words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return "gone"
        for word in words:
            if word.startswith(b"SIM_NODE="):
                return word.partition(b"=")[2].decode()
        return self.node_of(int(fields[1])) if int(fields[1]) not in (0, 1, os.getpid()) else "login"

    def mine(self) -> dict[int, int]:
        """The processes below this one; all others are none of ours."""
        below = set(kernel.descendants(os.getpid()))
        return {pid: parent for pid, parent in kernel.parents().items() if pid in below}

    def end(self) -> None:
        """End everything below, and leave no file."""
        kernel.kill_tree(os.getpid())
        shutil.rmtree(self.sim.root.parent, ignore_errors=True)
        os._exit(0)


def main(root: str) -> None:
    """Start the nodes, say so, serve."""
    lab = PlainLab(root)
    lab.start_nodes()
    lab.serve()
