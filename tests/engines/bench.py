"""A folder in the room with a manifest, and mngen on it."""

import json
from dataclasses import dataclass, field
from typing import Any

import stand_ins
from room import PASSWORD, ROOT, Room

FRONT = "127.0.0.1:5010"
"""A registry whose answers fail when told so, and whose tags do not move."""


@dataclass
class Bench:
    """A folder in the room with a manifest, and mngen on it."""

    room: Room
    folder: str
    user: str = "root"
    env: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str) -> None:
        """Write a file beside the manifest."""
        path = self.room.path(f"{self.folder}/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if self.user != "root":
            self.room.run("chown", "-R", self.user, self.folder)

    def mngen(self, *words: str, status: int = 0) -> "Said":
        """Run it, and expect an exit status."""
        done = self.room.run("mngen", *words, user=self.user, cwd=self.folder, env=self.env, check=False)
        said = f"mngen {' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}"
        assert done.returncode == status, said
        assert "Traceback" not in done.stderr
        assert PASSWORD not in said
        return Said(done.stdout, done.stderr)

    def render(self, *words: str) -> None:
        """Write the files."""
        self.mngen("-q", "render", "--no-lint", "manifest.yaml", *words)

    def build(self, *words: str, status: int = 0) -> dict[str, Any]:
        """Build, and return the JSON document."""
        document: dict[str, Any] = json.loads(self.mngen("build-image", "--format", "json", *words, status=status).out)
        return document

    def fault(self, **what: Any) -> None:
        """Tell the registry in front what is to go wrong; nothing, without arguments."""
        self.room.run("curl", "--silent", "--fail", "-X", "PUT", "--data", json.dumps(what), f"http://{FRONT}/_fault")

    def engine(self, name: str, *, size: str) -> str:
        """Start another Docker with storage of its own, of at most this size, and return its address."""
        socket = f"unix:///run/{name}.sock"
        self.room.run("bash", "-c", ENGINE, "engine", f"/run/{name}", socket, size)
        return socket


ENGINE = """
mkdir -p "$1" && mount -t tmpfs -o "size=$3" tmpfs "$1"
dockerd --data-root "$1/data" --exec-root "$1/run" --pidfile "$1/pid" -H "$2" --iptables=false --ip6tables=false \\
  --registry-mirror http://127.0.0.1:5000 >"$1/log" 2>&1 </dev/null &
until curl --silent --fail --output /dev/null --unix-socket "${2#unix://}" http://engine/_ping; do
  kill -0 $! || { cat "$1/log"; exit 1; }
  sleep 0.1
done
"""


@dataclass(frozen=True)
class Said:
    """What a command printed."""

    out: str
    err: str


def image(repository: str, *, base: str = stand_ins.TINY, more: str = "", tag: str = "1") -> str:
    """A small manifest with one image and user code."""
    return f"""\
apiVersion: mngen/v1
name: small
image:
  repository: {repository}
  variants: {{cuda: {{tag: "{tag}", base: "{base}", toolkit: "12.8"}}}}
  torch: {{guard: false}}
{more}
driver: {{command: python3 train.py}}
resources: {{shm: 1G}}
targets: {{a: {{kind: slurm, runtime: docker}}, b: {{kind: slurm, runtime: apptainer}}}}
"""


def example(name: str) -> dict[str, str]:
    """The texts of an example, by name."""
    folder = ROOT / "golden" / name
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}
