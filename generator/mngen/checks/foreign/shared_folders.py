"""Tells by its path that a folder lies on a file system which several machines share."""

from __future__ import annotations

import re

_FILE_SYSTEM = re.compile(
    r"(?:^|[/._-])(?:nfs|lustre|gpfs|beegfs|ceph(?:fs)?|weka(?:fs)?|efs|fsx|gluster(?:fs)?|juicefs|cvmfs|filestore)"
    r"v?\d*(?=[/._-]|$)|(?:^|/)shared(?=/|$)",
    re.IGNORECASE,
)
_OF_USERS = ("$HOME", "${HOME}", "~", "$SCRATCH", "${SCRATCH}", "/home/", "/scratch/")
"""Shared among the nodes of most clusters; an instance in a cloud has them on its own disk."""
_OF_THE_NODE = ("/tmp/", "/var/tmp/", "/dev/shm/", "/run/")


def names_shared(path: str) -> bool:
    """Tell whether a path names a network file system (``/mnt/nfs/…``) or says that it is shared."""
    return not path.startswith(_OF_THE_NODE) and _FILE_SYSTEM.search(path) is not None


def shared_on_clusters(path: str) -> bool:
    """Tell whether the nodes of a cluster share a folder, which may be a user's own."""
    return path.startswith(_OF_USERS) or names_shared(path)
