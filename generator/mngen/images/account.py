"""Who an image runs as under Docker: a user of its own, or any user id at all."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.images.instruction import run_lines
from mngen.images.recipe import Account
from mngen.manifest.image import User

ARBITRARY_HOME = "/home/mngen"
"""Home of a user id that has no entry in /etc/passwd."""
ARBITRARY_ID = 1001
"""The user id that is written where any may run the image."""


def account_lines(layer: Account) -> Iterator[str]:
    """Yield the instructions that make the user and hand it the folders that it writes to."""
    user = layer.user
    home = f"/home/{user.name}" if user else ARBITRARY_HOME
    commands = [*(_create(user) if user else ())]
    made = (*layer.folders, *(() if user else (home,)))
    if made:
        commands.append([f"mkdir -p {' '.join(made)}"])
    if user and layer.folders:
        commands.append([f"chown {user.uid}:{user.gid} {' '.join(layer.folders)}"])
    if layer.arbitrary_uid:
        shared = " ".join((*layer.folders, home))
        commands += [[f"chgrp -R 0 {shared}"], [f"chmod -R g=u {shared}"]]
    yield "# Not root. Apptainer needs no such user: there the caller's own ids apply."
    yield from run_lines(commands)
    if layer.arbitrary_uid:
        yield "# A user id without an entry in /etc/passwd has no home and no name; caches ask for both."
        yield f'ENV HOME="{home}"'
        yield f'ENV USER="{user.name if user else "mngen"}"'
    yield f"USER {user.uid}:{user.gid}" if user else f"USER {ARBITRARY_ID}:0"


def user_id(layer: Account) -> int:
    """Return the id that the image runs as."""
    return layer.user.uid if layer.user else ARBITRARY_ID


def _create(user: User) -> tuple[list[str], ...]:
    """Return the commands that make a user of this name and id, or leave the one that is just that.

    The id may be taken, as 1000 is on Ubuntu 24.04, and the name too; whoever has either goes, with his home. A user
    who has both keeps it: rayproject/ray has its Python there.
    """
    name, uid, gid = user.name, user.uid, user.gid
    return (
        [f'if id -un {uid} 2> /dev/null | grep -vqx {name}; then userdel --remove "$(id -un {uid})"; fi'],
        [f"if id -u {name} 2> /dev/null | grep -vqx {uid}; then userdel --remove {name}; fi"],
        [
            f"if getent group {gid} > /dev/null; then :;",
            f"elif getent group {name} > /dev/null; then groupmod --gid {gid} {name};",
            f"else groupadd --gid {gid} {name}; fi",
        ],
        [
            f"if id -u {name} > /dev/null 2>&1; then usermod --gid {gid} --shell /bin/bash {name};",
            f"else useradd --uid {uid} --gid {gid} --create-home --no-log-init --shell /bin/bash {name}; fi",
        ],
    )
