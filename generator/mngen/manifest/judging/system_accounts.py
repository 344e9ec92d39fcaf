"""The accounts that Debian and Ubuntu have for themselves: https://salsa.debian.org/debian/base-passwd."""

from __future__ import annotations

USERS = frozenset(
    {
        *("root", "daemon", "bin", "sys", "sync", "games", "man", "lp", "mail", "news", "uucp", "proxy", "www-data"),
        *("backup", "list", "irc", "gnats", "nobody", "_apt"),
    }
)
"""Names that every image of theirs has, with programs that count on them."""
RESERVED_IDS = frozenset({65534, 65535})
"""The id of nobody, and the one that no user may have:
https://www.debian.org/doc/debian-policy/ch-opersys.html#uid-and-gid-classes."""
