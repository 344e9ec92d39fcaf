"""Addresses in the form that stands before a port, for a job whose texts name them."""

from __future__ import annotations

from mngen.launch.names import late_texts
from mngen.launch.ranks import Ranks
from mngen.launch.texts import part
from mngen.manifest.model import Target

_LINES = {
    "head_host": ("export HEAD_HOST=${HEAD_ADDRESS%:*}",),
    "node_host": ("export NODE_HOST=${NODE_IP}", '[[ ${NODE_IP} != *:* ]] || NODE_HOST="[${NODE_IP}]"'),
}


def lines(target: Target, ranks: Ranks) -> list[str]:
    """Lines that set ``HEAD_HOST`` and ``NODE_HOST`` where these nodes have a text that names them.

    A driver from outside is such a text too: the head says what its arguments need.
    """
    named = {name for text in late_texts(part(target, ranks)) for name in text.refs}
    return [line for name, lines in _LINES.items() if name in named for line in lines]
