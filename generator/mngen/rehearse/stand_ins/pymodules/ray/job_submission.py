"""Ray's own client of its job server, as far as scripts ask for it."""

from types import SimpleNamespace
from typing import Any

from ray import _sim
from simlib.ray_cli import Client


class JobSubmissionClient:
    """Jobs of the cluster whose dashboard has this address."""

    def __init__(self, address: str | None = None) -> None:
        self._client = Client(_sim, address)

    def list_jobs(self) -> list[Any]:
        """All jobs, in no order that Ray promises."""
        return [SimpleNamespace(**job) for job in reversed(self._client("GET", "/api/jobs/"))]
