"""What a manifest mounts below a home folder inside the image."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from mngen.launch.names import mounted_at_home
from mngen.launch.words import quote, word
from mngen.manifest.model import Target
from mngen.plan import Raw

_BELOW_A_HOME = re.compile(r"/(?:root|home/[^/]+)/.")
"""Where images have homes; whose it is that the job runs as is known on the node."""


def mounted(target: Target, variable: Callable[[str], str]) -> tuple[Raw, ...]:
    """Return the mounts below a home as shell words, without those that another one holds."""
    if not target.runtime.is_container:
        return ()
    code = [target.code.to] if target.code and target.code.to else []
    places = {posixpath.normpath(place) for place in (*(mount.place for mount in target.mounts), *code)}
    found = sorted(place for place in places if _BELOW_A_HOME.match(place))
    outer = tuple(quote(one) for one in found if not any(one.startswith(f"{other}/") for other in found))
    return (*outer, *(word(place, variable) for place in mounted_at_home(target)))
