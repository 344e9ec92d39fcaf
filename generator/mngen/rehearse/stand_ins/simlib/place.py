"""The simulation's folder: configuration, records and locks that all stub programs share."""

import contextlib
import fcntl
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def below() -> str:
    """What stands before a node's paths: the folder of a node that is plain processes, nothing where it has a root."""
    return os.environ.get("SIM_FOLDER", "")


class Sim:
    """One simulated cluster, found by the folder that its launchers carry in their text."""

    def __init__(self, root: str) -> None:
        self.root = Path(root)
        self.config: dict[str, Any] = json.loads((self.root / "sim.json").read_text())

    @property
    def here(self) -> str:
        """The node this process runs on, by the kernel's host name, or `login`; plain processes have it as a variable."""
        return os.environ.get("SIM_NODE") or os.uname().nodename

    def local(self, env: dict[str, str]) -> dict[str, str]:
        """An environment that has come to this node: on plain processes, other nodes' folders become this one's."""
        if not self.config["plain"]:
            return env
        own = f"{self.root}/nodes/{self.here}"
        found = {name: self.local_path(value) for name, value in env.items()}
        places = {"TMPDIR": ("/tmp", f"{own}/tmp"), "HOME": ("/root", f"{self.config['shared']}/root")}
        found.update({name: new for name, (old, new) in places.items() if env.get(name) == old})
        return {**found, "SIM_NODE": self.here, "SIM_FOLDER": own}

    def local_path(self, path: str) -> str:
        """A path that another node named, on this one."""
        nodes = f"{self.root}/nodes"
        return re.sub(rf"{re.escape(nodes)}/[^/:]+", lambda _: f"{nodes}/{self.here}", path)

    def shown(self, path: str) -> str:
        """A path as a node with a root of its own would have it."""
        return path.replace(below(), "").replace(self.config["shared"] or "\0", "") if self.config["plain"] else path

    def node(self, name: str | None = None) -> dict[str, Any]:
        """The configuration of a node; an empty one for the login node."""
        for node in self.config["nodes"]:
            if node["name"] == (name or self.here):
                return node
        return {"name": name or self.here, "faults": {}, "gpus": 0, "cpus": 1}

    def shm_free(self) -> int:
        """Bytes free in /dev/shm; a node of plain processes has what it, or its container, was to have."""
        if not self.config["plain"]:
            stat = os.statvfs("/dev/shm")
            return stat.f_bavail * stat.f_frsize
        size = os.environ.get("SIM_SHM") or str(self.node()["shm"])
        unit = {"k": 10, "m": 20, "g": 30}.get(size[-1], 0)
        return int(size[:-1] if unit else size) << unit

    def fault(self, key: str, default: Any = None) -> Any:
        """A fault that was ordered for this node; read afresh, for it may change while the job runs."""
        path = self.root / "faults.json"
        faults = json.loads(path.read_text()) if path.exists() else {}
        return faults.get(self.here, {}).get(key, faults.get("*", {}).get(key, default))

    def version(self, program: str) -> tuple[int, ...]:
        """The configured version of `slurm` or `ray` as integers."""
        return tuple(int(part) for part in self.config[program]["version"].split(".") if part.isdecimal())

    def record(self, kind: str, **fields: Any) -> None:
        """Append one line to the records."""
        line = json.dumps({"kind": kind, "node": self.here, "time": time.time(), **fields}, ensure_ascii=True)
        path = self.root / "records" / f"{kind}.jsonl"
        with path.open("a") as out:
            fcntl.flock(out, fcntl.LOCK_EX)
            out.write(line + "\n")

    def record_call(self, kind: str, argv: list[str], **fields: Any) -> None:
        """Record a program's start: argument list, environment, working directory and process id."""
        env = {os.fsdecode(k): os.fsdecode(v) for k, v in os.environb.items()}
        self.record(kind, argv=argv, env=env, cwd=os.getcwd(), pid=os.getpid(), **fields)

    @contextlib.contextmanager
    def locked(self, name: str) -> Iterator[dict[str, Any]]:
        """A JSON file under an exclusive lock; what the block leaves in the mapping is written back."""
        path = self.root / "state" / f"{name}.json"
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            data = json.loads(path.read_text()) if path.exists() else {}
            yield data
            new = path.with_suffix(".new")
            new.write_text(json.dumps(data))
            new.replace(path)

    def peek(self, name: str) -> dict[str, Any]:
        """A JSON state file without its lock (files are replaced whole)."""
        path = self.root / "state" / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else {}
