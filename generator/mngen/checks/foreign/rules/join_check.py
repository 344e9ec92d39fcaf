"""A driver that starts before all nodes have joined hangs, or trains on fewer."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.drivers import may_drive, starts_driver
from mngen.checks.foreign.joining import joining
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        starts = script.called("ray start")
        workers = [call for call in starts if call.options.has("--address")]
        if not workers or not any(call.options.has("--head") for call in starts):
            continue
        found = joining(script)
        if not found.waits and any(map(may_drive, document.scripts)):
            driven = any(map(starts_driver, document.scripts))
            what = "the driver" if driven else "what uses the cluster"
            alone = ": what is asked of Ray here only tells that the head answers" if found.asks_head else ""
            yield Found(
                workers[-1].line,
                f"nothing makes sure that every node and its GPUs have joined before {what} starts{alone}",
                "wait, with a deadline, until `ray.nodes()` shows the nodes alive and `ray.cluster_resources()` "
                "the GPUs",
            )


RULE = Rule("MN757", Severity.WARNING, _check)
