"""Secrets that lie in files of a node: where they are read, and how they get into a container.

A value passes no command line and no text: it goes from a file into a variable of the process that needs it.
"""

from __future__ import annotations

from mngen.launch.names import expression
from mngen.launch.words import quote, word
from mngen.manifest.model import Runtime, Secret, Target
from mngen.plan import Raw


def in_files(target: Target) -> list[tuple[Secret, Raw]]:
    """Return the secrets of a target that have a file, each with the file's path as a shell word of the host."""
    variable = expression(inside=False)
    return [(secret, word(secret.file, variable)) for secret in target.secrets if secret.file]


def in_batch(target: Target) -> bool:
    """Whether the batch shell reads them for all nodes: pyxis has no part on a node's host that could."""
    return target.runtime is Runtime.PYXIS


def reads(target: Target) -> list[str]:
    """Lines that export the secrets where the node's own files are seen."""
    return [_if_there(s, path, f"read_secret {quote(s.name)} {path}") for s, path in in_files(target)]


def copies(target: Target) -> list[str]:
    """Lines on a node's host that put the files where its container finds them: into the job's own folder."""
    lines = []
    for secret, path in in_files(target):
        copy = f'install -m 600 {path} "${{JOB_DIR}}/secret.{secret.name}"'
        lines += [f"{_if_there(secret, path, copy)} \\", f"  || fail 78 'cannot read the file of secret {secret.name}'"]
    return lines


def reads_copies(target: Target) -> list[str]:
    """Lines inside the container that export what ``copies`` put there."""
    found = [(secret, Raw(f'"${{JOB_DIR}}/secret.{secret.name}"')) for secret, _ in in_files(target)]
    return [_if_there(secret, path, f"read_secret {quote(secret.name)} {path}") for secret, path in found]


def _if_there(secret: Secret, path: Raw, line: str) -> str:
    """Return a line for a secret that the job can do without: it runs where the file is, and holds one."""
    return line if secret.required else f"[[ ! -f {path} || ! -r {path} || -z $(<{path}) ]] || {line}"
