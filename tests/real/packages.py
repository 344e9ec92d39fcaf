"""The Debian packages that the real runs need: installed when missing, and taken away again."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

WANTED = ("slurm-wlm", "slurm-wlm-basic-plugins", "munge", "iproute2", "procps", "python3-venv")
# While this file is there, packages start no service: a lab has munged and slurmd of its own.
POLICY = Path("/usr/sbin/policy-rc.d")


class Unavailable(RuntimeError):
    """This machine cannot have them; the text is one line for the user."""


def present() -> frozenset[str]:
    """All installed packages."""
    command = ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Package}\n"]
    try:
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    except FileNotFoundError:
        raise Unavailable("needs Debian or Ubuntu: dpkg-query is not there") from None
    return frozenset(line.split()[1] for line in lines if line.startswith("ii"))


def install() -> tuple[str, ...]:
    """Install what is missing; the packages that are there now and were not before.

    Raises:
        Unavailable: apt-get failed.
    """
    before = present()
    missing = [name for name in WANTED if name not in before]
    if not missing:
        return ()
    try:
        with _no_services():
            for command in (["update", "-qq"], ["install", "-qq", "--no-install-recommends", *missing]):
                _apt(*command)
    except BaseException:
        remove(tuple(present() - before))
        raise
    return tuple(sorted(present() - before))


def remove(names: tuple[str, ...]) -> None:
    """Take packages away again, with their configuration."""
    if names:
        with _no_services():
            _apt("purge", "-qq", *names)


def _apt(*words: str) -> None:
    done = subprocess.run(
        ["apt-get", "--yes", "--option=Dpkg::Use-Pty=0", *words],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise Unavailable(f"apt-get {words[0]} failed: {last}")


@contextlib.contextmanager
def _no_services() -> Iterator[None]:
    if POLICY.exists():
        yield
        return
    POLICY.write_text("#!/bin/sh\nexit 101\n")
    POLICY.chmod(0o755)
    try:
        yield
    finally:
        POLICY.unlink()
