"""Names as SkyPilot and dstack want them, for the rules that refuse others and the targets that write them."""

from __future__ import annotations

import re

from mngen.manifest.text import Text

LOGIN = ("SKYPILOT_DOCKER_USERNAME", "SKYPILOT_DOCKER_PASSWORD", "SKYPILOT_DOCKER_SERVER")
"""A registry's login: SkyPilot takes all three from one block (``_check_docker_login_config`` in sky/task.py)."""

RDMA = ("ib", "roce", "efa")
"""Fabrics for which SkyPilot is asked for its best network tier."""

SCRIPTS = {"skypilot": "~/mngen-boot.sh", "dstack": "/mngen/boot.sh"}
"""Where the launch script lies on the machines of each kind."""

DSTACK_NAME = re.compile(r"[a-z][a-z0-9-]{1,40}")
"""What dstack calls a run or a volume (``is_valid_dstack_resource_name``)."""


def names_volume(source: Text) -> bool:
    """Tell whether a source is one name, which is a volume's; a folder beside the manifest is ``./NAME``.

    See ``volumes`` in https://docs.skypilot.co/en/latest/reference/yaml-spec.html.
    """
    name = source.literal
    return name is not None and "/" not in name and not name.startswith((".", "~"))
