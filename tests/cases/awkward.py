"""Jobs full of awkward values, one finished job for each way to run; the cases about quoting look at what they left."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ways
from generated import render

from mngen.rehearse.cluster import Cluster

IMAGE_ENV = {"LDFLAGS": "-L/image", "MODEL": "of the image", "JSON": "{}"}
"""What the image says of variables that the manifest sets too."""

# As a manifest has them: the spelling is what counts.
ENV = r"""
  LDFLAGS: -L/a,-L/b,-Wl,--rpath=/c
  LD_PRELOAD_WORDS: libx.so -f arg1
  CALL: x(y)
  TWO_COMMANDS: a;b
  APOSTROPHE: it's
  DOLLAR: $HOME
  INNER_DOLLAR: a$b
  SUBSTITUTION: $(touch /tmp/pwned)
  BACKTICKS: "`touch /tmp/pwned`"
  VLLM_USE_V1: 1
  TRUTH: true
  NO_WORD: no
  OFF_WORD: off
  ON_WORD: on
  NORWAY: NO
  OCTAL: 0755
  GROUPED: 1_000
  CLOCK: 12:30:45
  MODEL: of the manifest
  JSON: '{"working_dir": "/a b", "pip": ["x>=1"]}'
  FROM_NODE: ${{ env.SITE_LIB }}:/opt/x
  LINES: "one\ntwo\n"
  EMPTY: ''
"""
EXPECTED_ENV = {
    "LDFLAGS": "-L/a,-L/b,-Wl,--rpath=/c",
    "LD_PRELOAD_WORDS": "libx.so -f arg1",
    "CALL": "x(y)",
    "TWO_COMMANDS": "a;b",
    "APOSTROPHE": "it's",
    "DOLLAR": "$HOME",
    "INNER_DOLLAR": "a$b",
    "SUBSTITUTION": "$(touch /tmp/pwned)",
    "BACKTICKS": "`touch /tmp/pwned`",
    "VLLM_USE_V1": "1",
    "TRUTH": "true",
    "NO_WORD": "no",
    "OFF_WORD": "off",
    "ON_WORD": "on",
    "NORWAY": "NO",
    "OCTAL": "0755",
    "GROUPED": "1_000",
    "CLOCK": "12:30:45",
    "MODEL": "of the manifest",
    "JSON": '{"working_dir": "/a b", "pip": ["x>=1"]}',
    "FROM_NODE": "/site/lib of node:/opt/x",
    "LINES": "one\ntwo\n",
    "EMPTY": "",
}
ARGS = r"""
    - '{"working_dir": "/a b", "pip": ["x>=1"]}'
    - 'ckpt="a/epoch=9-step=8.ckpt"'
    - k='x=y'
    - +x=1
    - ++y=2
    - ~z.w
    - lr=1e-6
    - 1e-6
    - 1.0e-6
    - 5e-7
    - 0.00001
    - 1_000
    - +3
    - trainer.logger=['console','wandb']
    - "`touch /tmp/pwned` $(touch /tmp/pwned)"
    - '*'
    - a b
    - ''
"""
EXPECTED_ARGS = [
    '{"working_dir": "/a b", "pip": ["x>=1"]}',
    'ckpt="a/epoch=9-step=8.ckpt"',
    "k='x=y'",
    "+x=1",
    "++y=2",
    "~z.w",
    "lr=1e-6",
    "1e-6",
    "1.0e-6",
    "5e-7",
    "0.00001",
    "1_000",
    "+3",
    "trainer.logger=['console','wandb']",
    "`touch /tmp/pwned` $(touch /tmp/pwned)",
    "*",
    "a b",
    "",
]
AT_SUBMIT = ["a b", 'x="y"', "$(touch /tmp/pwned)"]
NODE_ENV = {"SITE_LIB": "/site/lib of node"}


@dataclass(frozen=True)
class AwkwardJob:
    """What one finished job left: the driver's and Ray's starts, its folder of files, the node's clutter."""

    sim: Cluster
    folder: Path
    status: int
    log: str

    @property
    def driver(self) -> dict[str, Any]:
        """The one start of the driver."""
        (driver,) = self.sim.records("driver")
        return driver

    def seen(self, *names: str) -> list[dict[str, str | None]]:
        """What the driver and every Ray node have of these variables; no more than one answer is right."""
        found = [{name: call["env"].get(name) for name in names} for call in (self.driver, *self.starts())]
        assert len(found) == 1 + len(self.sim.names)
        return [item for number, item in enumerate(found) if item not in found[:number]]

    def starts(self) -> list[dict[str, Any]]:
        """The `ray start` calls."""
        return [call for call in self.sim.records("ray") if call["argv"][0] == "start"]


def manifest(way: str, sim: Cluster) -> str:
    """The manifest of one way to run; node-local files of the manifest lie in the cluster's work folder."""
    folder = json.dumps(str(sim.work / "a folder"))
    file = json.dumps(str(sim.work / "more.env"))
    # What pyxis hands through a shell may have no blank (B80 is about the others).
    logs = "the-logs" if way == "pyxis" else "the logs"
    return (
        f"apiVersion: mngen/v1\nname: sim\nresources: {{nodes: {len(sim.names)}}}\n"
        f"env:{ENV}env_files: [{file}]\nworkdir: {folder}\n"
        f"logs: {{dir: {logs}, driver: train.log}}\n"
        f"driver:\n  command: [sim-driver]\n  args:{ARGS}"
        f"targets: {{job: {json.dumps(ways.target(way, sim))}}}\n"
    )


def run(way: str) -> AwkwardJob:
    """Run the job of one way to its end; the caller closes its cluster."""
    # A worker without Slurm takes some seconds to see that its head has ended.
    sim = ways.cluster(way, nodes=2 if way in ways.SLURM else 1, image={"env": IMAGE_ENV})
    (sim.work / "a folder").mkdir()
    for name in ("the logs", "the-logs"):
        (sim.work / name).mkdir()
    (sim.work / "more.env").write_text("FROM_FILE='it'\"'\"'s read'\nPATH=/opt/x/bin:$PATH\n")
    folder = render(sim, manifest(way, sim))
    status, log = ways.run(way, sim, folder, args=AT_SUBMIT, env=NODE_ENV)
    return AwkwardJob(sim, folder, status, log)
