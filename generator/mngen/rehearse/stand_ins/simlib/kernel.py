"""System calls that Python does not offer in every supported version: namespaces, mounts, process control."""

import ctypes
import os
import signal
import time
from pathlib import Path

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_RDONLY = 1
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
SYS_MOUNT_SETATTR = 442  # the same on every machine
MOUNT_ATTR_RDONLY = 1
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def unshare(flags: int) -> None:
    """Give this process new namespaces (unshare(2))."""
    _check(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int = 0, data: str | None = None) -> None:
    """mount(2)."""
    encoded = [None if item is None else os.fsencode(item) for item in (source, target, kind, data)]
    _check(_libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3]), f"mount {target}")


def read_only(target: str) -> None:
    """Let nobody write below a mount: mount_setattr(2), which takes what is mounted in it too, else mount(2)."""
    attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY, 0, 0, 0)
    wanted = (AT_FDCWD, os.fsencode(target), AT_RECURSIVE, attributes, ctypes.sizeof(attributes))
    if _libc.syscall(SYS_MOUNT_SETATTR, *wanted) != 0:
        mount("none", target, None, MS_BIND | MS_REMOUNT | MS_RDONLY)


def umount(target: str) -> None:
    """Detach a mount at once, busy or not."""
    _check(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """pivot_root(2), which has no libc wrapper; the number is looked up per machine."""
    number = {"x86_64": 155, "aarch64": 41}[os.uname().machine]
    _check(_libc.syscall(number, os.fsencode(new), os.fsencode(old)), "pivot_root")


def prctl(option: int, value: int | bytes) -> None:
    """prctl(2) with one argument."""
    _check(_libc.prctl(option, value, 0, 0, 0), "prctl")


def set_hostname(name: str) -> None:
    """sethostname(2): the name of this UTS namespace."""
    raw = name.encode()
    _check(_libc.sethostname(raw, len(raw)), "sethostname")


def enter(pid: int) -> None:
    """Enter the network, UTS, IPC and mount namespaces of a process; the mount namespace last."""
    for kind in ("net", "uts", "ipc", "mnt"):
        fd = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
        try:
            _check(_libc.setns(fd, 0), f"setns {kind}")
        finally:
            os.close(fd)


def parents() -> dict[int, int]:
    """Parent of every live process (zombies left out)."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if fields[0] not in "ZX":
                found[int(entry)] = int(fields[1])
    return found


def descendants(pid: int) -> list[int]:
    """All live processes below `pid`, itself left out."""
    table = parents()
    known, todo = [], [pid]
    while todo:
        parent = todo.pop()
        children = [child for child, above in table.items() if above == parent and child not in known]
        known += children
        todo += children
    return known


def heard_by(pid: int, proctrack: str) -> list[int]:
    """The processes below a slurmstepd that get a signal of Slurm's other than KILL.

    proctrack/cgroup sends it to slurmstepd's own children alone (``_slurm_cgroup_is_pid_a_slurm_task`` in
    proctrack_cgroup.c, unless SignalChildrenProcesses=yes); proctrack/linuxproc to all below.
    """
    if proctrack != "cgroup":
        return descendants(pid)
    return [child for child, above in parents().items() if above == pid]


def signal_all(pids: list[int], number: int) -> None:
    """Signal processes, ignoring those that have gone."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def kill_tree(pid: int, tries: int = 50) -> None:
    """SIGKILL everything below `pid` until nothing is left."""
    for _ in range(tries):
        below = descendants(pid)
        if not below:
            return
        signal_all(below, signal.SIGKILL)
        time.sleep(0.01)
        while True:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    break
            except ChildProcessError:
                break
