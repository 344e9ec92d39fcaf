"""Jobs of so many nodes that Ray itself does not fit this machine; a program that only joins is in its place."""

import re
from collections.abc import Iterable
from pathlib import Path

from jobs import Example

STUB = Path(__file__).resolve().parent / "stub"
DRIVEN = re.compile(r"^driver after ([\d.]+) s$", re.MULTILINE)
# What `sdiag` counts of a user's calls to Slurm's controller.
CALLS = re.compile(r"^\s+alice\s+\(\s*61001\)\s+count:(\d+)", re.MULTILINE)
# Seconds from the start of the batch shell to that of the driver, from what the kernel keeps of both in hundredths
# (field 22 of /proc/PID/stat; neither's name has a blank).
DRIVER = """
began=($(</proc/"${BATCH_PID}"/stat)) now=($(</proc/$$/stat))
printf 'driver after %d.%02d s\\n' $(((now[21] - began[21]) / 100)) $(((now[21] - began[21]) % 100))
"""


def example(nodes: int, stub: str, *sets: str) -> Example:
    """The plain example for that many nodes, with the stand-in at a path that all nodes have."""
    script = "".join(f"      {line}\n" for line in DRIVER.strip().splitlines())
    overlay = (
        f"setup: |\n  export PATH={stub}/bin:$PATH PYTHONPATH={stub}\n"
        f"driver:\n  args: []\n  command:\n  - bash\n  - -c\n  - |\n{script}"
    )
    return Example(sets=(f"resources.nodes={nodes}", "resources.cpus=2", *sets), overlay=overlay)


def absent(names: Iterable[str], joined: Path) -> None:
    """Have nodes of these names never join."""
    for name in names:
        (joined / f"not-{name}").touch()


def driver_after(log: str) -> float:
    """Seconds from the batch shell to the driver, as the log has them."""
    found = DRIVEN.search(log)
    assert found, log
    return float(found[1])


def state_line(log: str, found: int, nodes: int) -> str:
    """The line that says how many have joined, without time and name of the node."""
    (line,) = [line for line in log.splitlines() if f"{found} of {nodes} nodes" in line]
    return line[line.index(f"{found} of") :]
