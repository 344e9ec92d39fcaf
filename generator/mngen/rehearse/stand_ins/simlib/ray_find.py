"""Which cluster Ray means: `RAY_ADDRESS`, the address that is given, or the cluster that runs on this node.

As in Ray 2.49 to 2.60: `canonicalize_bootstrap_address_or_die` in `ray/_private/services.py`, and
`get_address_for_submission_client` in `ray/dashboard/utils.py`.
"""

import os
from pathlib import Path

from simlib import kernel, place

_MARK = "gcs-address="
_SAY_WHICH = (
    "Please specify the one to connect to by setting the `--address` flag or `RAY_ADDRESS` environment variable."
)


def temp_dir() -> str:
    """Ray's folder where nobody names one."""
    return os.environ.get("RAY_TMPDIR", os.environ.get("TMPDIR", f"{place.below()}/tmp")) + "/ray"


def _file(folder: str) -> Path:
    return Path(folder, "ray_current_cluster")


def note(address: str, folder: str) -> None:
    """Write down the cluster that this node has started or joined, in the folder that Ray has there."""
    _file(folder).write_text(address)


def forget() -> None:
    """What `ray stop` does of it: only the usual folder's is removed."""
    _file(temp_dir()).unlink(missing_ok=True)


def mark(address: str) -> None:
    """Let others see in this process which head it belongs to, as they do in the arguments of the real raylet."""
    os.dup2(os.memfd_create(_MARK + address), 0)


def is_here(pid: int) -> bool:
    """Whether a process is on this node."""
    if place.below():
        return f"SIM_FOLDER={place.below()}\0".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    return os.readlink(f"/proc/{pid}/ns/net") == os.readlink("/proc/self/ns/net")


def running() -> set[str]:
    """The clusters that have a raylet on this node."""
    found = set()
    for pid in kernel.parents():
        try:
            if Path(f"/proc/{pid}/comm").read_text().strip() == "raylet" and is_here(pid):
                _, marked, name = os.readlink(f"/proc/{pid}/fd/0").partition(_MARK)
                found |= {name.removesuffix(" (deleted)")} if marked else set()
        except OSError:
            continue
    return found


def address(given: str | None) -> str | None:
    """What `ray.init(address=given)` connects to; None where it would start a cluster of its own."""
    if given in (None, "auto"):
        given = os.environ.get("RAY_ADDRESS") or given
    if given in (None, "auto"):
        return _on_this_node(any_will_do=given == "auto")
    return None if given == "local" else given


def _on_this_node(*, any_will_do: bool) -> str | None:
    here, file = running(), _file(temp_dir())
    noted = file.read_text().strip() if file.exists() else None
    if any_will_do and here and (noted is None or len(here) == 1):
        return here.pop()
    if any_will_do and noted is None:
        raise ConnectionError(f"Could not find any running Ray instance. {_SAY_WHICH}")
    return noted


def address_or_die(given: str | None) -> str:
    """What a command connects to: also the only cluster here of which nothing was written down."""
    found = address(given)
    if found is not None:
        return found
    here = running()
    if len(here) != 1:
        why = f"Found multiple active Ray instances: {here}." if here else "Could not find any running Ray instance."
        raise ConnectionError(f"{why} {_SAY_WHICH}")
    return here.pop()
