"""The user that a Dockerfile makes, on bases that have users and groups already: it has the ids that were asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from accounts import PROGRAMS
from image_cases import MINIMAL
from msgspec.structs import replace

from mngen.images import dockerfile
from mngen.manifest.image import User

PASSWD = "root:x:0:0:old\nwww-data:x:33:33:old\n{}"
GROUP = "root:x:0:\nusers:x:100:\nvideo:x:44:\nwww-data:x:33:\n{}"
BASES = {
    "bare": ("", ""),
    "Ubuntu 24.04": ("ubuntu:x:1000:1000:old\n", "ubuntu:x:1000:\n"),
    "a user in a group of all": ("ray:x:1000:100:old\n", ""),
    "a user of another id": ("ray:x:500:500:old\nubuntu:x:1000:1000:old\n", "ray:x:500:\nubuntu:x:1000:\n"),
    "a group of that name": ("", "ray:x:500:\n"),
    "two in one group": ("ray:x:500:500:old\nother:x:501:500:old\n", "ray:x:500:\n"),
}
USERS = [
    *(User(name=name, uid=uid, gid=uid) for name in ("ubuntu", "ray") for uid in (1000, 123456)),
    *(User(name="ray", uid=1000, gid=gid) for gid in (0, 100, 500)),
    User(name="ubuntu", uid=1000, gid=5000),
    User(name="video", uid=5000, gid=5000),
]


@pytest.mark.parametrize("user", USERS, ids=lambda user: f"{user.name}:{user.uid}:{user.gid}")
@pytest.mark.parametrize("base", BASES)
def test_the_user_is_made_whoever_was_there(tmp_path, base, user) -> None:
    users, groups = BASES[base]
    (tmp_path / "passwd").write_text(PASSWD.format(users))
    (tmp_path / "group").write_text(GROUP.format(groups))
    for program in PROGRAMS:
        stub = tmp_path / program
        stub.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name("accounts.py")} {program} "$@"\n')
        stub.chmod(0o755)
    text = dockerfile.text(replace(MINIMAL, user=user))
    block = next(part for part in text.split("\n\n") if "useradd" in part)
    command = block.partition("RUN ")[2].partition("\nUSER ")[0]
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "ACCOUNTS": str(tmp_path)}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found = [line.split(":") for line in (tmp_path / "passwd").read_text().splitlines()]
    (made,) = (row for row in found if row[0] == user.name)
    assert made[2:4] == [str(user.uid), str(user.gid)]
    assert len({row[2] for row in found}) == len(found)
    assert str(user.gid) in {line.split(":")[2] for line in (tmp_path / "group").read_text().splitlines()}
    # One that is as asked for keeps what is in its home.
    before = {tuple(line.split(":")[::2][:2]) for line in users.splitlines()}
    assert (made[4] == "old") is ((user.name, str(user.uid)) in before)
    assert f"USER {user.uid}:{user.gid}" in text
