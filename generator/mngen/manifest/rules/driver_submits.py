"""A driver that hands its work to the job's own Ray by an address that mngen did not give it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.placed_texts import argument_lists
from mngen.manifest.judging.port_plan import SHARED_KINDS
from mngen.manifest.judging.programs import calls
from mngen.manifest.model import Target

_HERE = r"https?://(?:127\.0\.0\.1|localhost|\[::1\]):([0-9]{1,5})/?"
"""This node's dashboard, for which Ray's job client takes ``--address`` (dashboard/modules/job/cli.py)."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn of a port of this node where the dashboard takes one of the job's own block."""
    if target.kind not in SHARED_KINDS:
        return
    for call in calls([one for one in argument_lists(target) if one[0].startswith("driver.")]):
        address = call.option({"--address"}) if call.words[:2] == ("ray", "job") else None
        found = None if address is None else re.fullmatch(_HERE, address[1])
        if address is None or found is None or int(found[1]) == target.ray.ports.get("dashboard"):
            continue
        message = (
            f"`{' '.join(call.words[:3])}` asks {address[1]}, but on {target.kind} the job's dashboard has a port of "
            "the job's own block: nothing answers there, or another job does"
        )
        hint = "write driver: {submit: ray-job} and the entrypoint as its command; mngen submits it, and waits for it"
        yield warning(target, "MN317", address[2], message, hint=hint)
