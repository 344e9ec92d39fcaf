"""Options of a build that a builder has no use for: they are refused, not dropped."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.build import engines
from mngen.build.job import Job, secret_ids
from mngen.errors import UsageError
from mngen.images.fetching import CERTIFICATES

_IGNORED = {
    "apptainer": {"push": "--push", "tags": "--tag", "cache_to": "--cache-to", "cache_from": "--cache-from"},
    # https://docker-py.readthedocs.io/en/stable/api.html#docker.api.build.BuildApiMixin.build
    "sdk": {"cache_to": "--cache-to", "secrets": "--secret"},
}
"""By builder: the fields of a job that have no effect, and the options that they come from.

Apptainer keeps no steps, so that it repeats every one with ``--no-cache`` as without.
"""


def refuse_ignored(job: Job, builder: str, ca_bundle: str = "") -> None:
    """Raise ``UsageError`` when something is asked for that the builder does not do."""
    found = [*_found(job, builder, ca_bundle)]
    if found:
        options = ", ".join(f"`{option}`" for option in found)
        raise UsageError(f"{builder} takes no {options}", hint=_hint(job, builder, found))


def _found(job: Job, builder: str, ca_bundle: str) -> Iterator[str]:
    for field, option in _IGNORED.get(builder, {}).items():
        if getattr(job, field):
            yield option
    # Elsewhere the certificates are for the registry that is pushed to, also where no step reads them.
    if builder == "apptainer" and ca_bundle and CERTIFICATES not in secret_ids(job.image):
        yield "--ca-bundle"


def _hint(job: Job, builder: str, found: list[str]) -> str:
    others = engines.named(engines.others(job.image, builder))
    if builder != "apptainer":
        return f"leave it out, or use {others}"
    afterwards = f"`apptainer push {job.sif} oras://{job.image.reference}` afterwards, " if "--push" in found else ""
    return f"{afterwards or 'leave it out, '}or use {others}, with --sif for a SIF of the image"
