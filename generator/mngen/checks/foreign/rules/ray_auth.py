"""A cluster without a token obeys everybody on the network."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        heads = [call for call in script.called("ray start") if call.options.has("--head")]
        if heads and "RAY_AUTH_MODE" not in document.text:
            yield Found(
                heads[0].line,
                "the cluster has no token: any user who reaches the node can run code in it; and from Ray 2.61 on a "
                "token is the default, which this script does not hand over",
                "set RAY_AUTH_MODE, and with `token` give every node RAY_AUTH_TOKEN_PATH (Ray 2.52 or newer)",
            )


RULE = Rule("MN765", Severity.NOTE, _check)
