"""Plays the programs of Debian's package passwd on two text files, with their refusals and exit statuses.

``accounts.py PROGRAM WORD …`` is ``id``, ``getent``, ``groupadd``, ``groupmod``, ``useradd``, ``usermod`` or ``userdel``
(useradd(8) and its like): a name or id that is taken is status 9 or 4, one that is not there is 6.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

PROGRAMS = ("id", "getent", "groupadd", "groupmod", "useradd", "usermod", "userdel")


def rows(name: str) -> list[list[str]]:
    return [line.split(":") for line in (Path(os.environ["ACCOUNTS"]) / name).read_text().splitlines()]


def write(name: str, found: list[list[str]]) -> None:
    (Path(os.environ["ACCOUNTS"]) / name).write_text("".join(":".join(row) + "\n" for row in found))


def row_of(table: list[list[str]], key: str) -> list[str] | None:
    return next((row for row in table if row[0] == key), None) or next((row for row in table if row[2] == key), None)


def option(words: list[str], name: str) -> str:
    return words[words.index(name) + 1] if name in words else ""


def changed(table: list[list[str]], row: list[str] | None, name: str, new: str) -> list[str]:
    """Return a row with a new id, which nobody else may have."""
    if row is None:
        sys.exit(6)
    if new and any(other[2] == new and other is not row for other in table):
        sys.exit(4)
    return [row[0], "x", new or row[2], *row[3:]]


def main(program: str, *given: str) -> None:
    words = [*given]
    users, groups, last = rows("passwd"), rows("group"), words[-1]
    user, group = row_of(users, last), row_of(groups, last)
    if program == "id":
        if user is None:
            sys.exit(1)
        sys.stdout.write(f"{user[0] if '-un' in words else user[2]}\n")
    elif program == "getent":
        sys.exit(2 if row_of(groups if words[0] == "group" else users, last) is None else 0)
    elif program == "groupadd":
        number = option(words, "--gid")
        if any(row[0] == last for row in groups):
            sys.exit(9)
        if any(row[2] == number for row in groups):
            sys.exit(4)
        write("group", [*groups, [last, "x", number, ""]])
    elif program == "groupmod":
        new = changed(groups, group, last, option(words, "--gid"))
        write("group", [new if row is group else row for row in groups])
        write("passwd", [[*row[:3], new[2], *row[4:]] if row[3] == group[2] else row for row in users])
    elif program == "useradd":
        if user is not None and user[0] == last:
            sys.exit(9)
        if any(row[2] == option(words, "--uid") for row in users):
            sys.exit(4)
        if row_of(groups, option(words, "--gid")) is None:
            sys.exit(6)
        write("passwd", [*users, [last, "x", option(words, "--uid"), option(words, "--gid"), "new"]])
    elif program == "usermod":
        new = changed(users, user, last, option(words, "--uid"))
        if option(words, "--gid") and row_of(groups, option(words, "--gid")) is None:
            sys.exit(6)
        new[3] = option(words, "--gid") or new[3]
        write("passwd", [new if row is user else row for row in users])
    elif program == "userdel":
        if user is None or user[0] != last:
            sys.exit(6)
        write("passwd", [row for row in users if row is not user])
        shared = any(row[3] == user[3] for row in users if row is not user)
        write("group", [row for row in groups if not (row[0] == last and row[2] == user[3] and not shared)])


if __name__ == "__main__":
    main(*sys.argv[1:])
