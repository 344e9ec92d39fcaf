"""``driver``: parts that only a submitted job has, and what a submitted job needs."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse what only ``submit: ray-job`` has, without it, and ray-job without a dashboard."""
    driver = target.driver
    if driver.submit == "ray-job":
        yield from _ray_job(target)
    else:
        needs = {
            "driver.from": driver.submit_from == "outside",
            "driver.wait": not driver.wait,
            "driver.runtime_env": driver.runtime_env is not None,
        }
        for field, used in needs.items():
            if used:
                yield finding(
                    target,
                    "MN281",
                    field,
                    f"{field} is set, but driver.submit is {driver.submit}: the driver is then a process of the head",
                    hint="write driver: {submit: ray-job}, or remove it",
                    other=("driver.submit",),
                )


def _ray_job(target: Target) -> Iterator[Diagnostic]:
    if not target.ray.dashboard.enabled:
        yield finding(
            target,
            "MN283",
            "driver.submit",
            "driver.submit is ray-job, but ray.dashboard.enabled is false: jobs are submitted to the dashboard",
            hint="enable the dashboard (it binds to loopback), or write submit: direct",
            other=("ray.dashboard.enabled",),
        )
    if target.driver.submit_from == "outside" and target.kind in {"skypilot", "dstack"} and target.driver.wait:
        return
    if not target.driver.wait and target.driver.submit_from == "head":
        yield finding(
            target,
            "MN281",
            "driver.wait",
            "driver.wait is false, but the head submits the job: the cluster would end as soon as the job is queued",
            hint="write wait: true, or from: outside",
            other=("driver.from",),
        )
