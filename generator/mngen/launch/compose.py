"""The part of a launch script that is the same for every kind of target."""

from __future__ import annotations

from msgspec import Struct

from mngen.launch import engines, flow, homes, ports, ray_options, runtimes, settings, texts
from mngen.launch.layout import command_lines, continued
from mngen.launch.model import LaunchScript, Setting
from mngen.launch.names import EXPORTED, exported_variables, late
from mngen.launch.ranks import Ranks
from mngen.launch.words import quote, words
from mngen.manifest.model import Runtime, Target, Where
from mngen.plan import Raw


def _client_options(target: Target) -> Raw:
    if target.runtime is Runtime.APPTAINER:
        return continued(runtimes.apptainer_options(target), indent=4, used=24)
    if target.runtime.is_engine:
        return continued(engines.options(target), indent=4, used=8)
    return Raw("")


class KindParts(Struct, frozen=True, kw_only=True):
    """What a kind of target brings: its header, its settings and modules, how a node's work begins and ends."""

    header: tuple[Raw, ...]
    settings: tuple[Setting, ...]
    modules: tuple[str, ...]
    enter: tuple[Raw, ...]
    leave: tuple[Raw, ...]
    ranks: Ranks = Ranks.ALL
    """Which nodes run it."""
    reports: bool = False
    """True when the script's own process must end with the driver's status."""
    reach: Raw | None = None
    """The command by which the user reaches the dashboard, where it is not ssh to the node's own name."""


def compose(target: Target, parts: KindParts, *, contained: bool) -> LaunchScript:
    """Fill what the target's fields decide; ``contained`` when a second role runs inside a container."""
    variable, here = late(target, contained=contained), texts.part(target, parts.ranks)
    # With pyxis the batch shell runs what is for the host.
    host_text = target.host_setup is not None and target.runtime is not Runtime.PYXIS
    engine = target.runtime.is_engine
    head_options = ray_options.head(target, variable)
    ray_job = target.driver.submit == "ray-job" and target.driver.submit_from == "head"
    uses_loopback = "LOOPBACK" in head_options or ray_job
    return LaunchScript(
        header=parts.header,
        settings=settings.lines(parts.settings),
        modules=parts.modules,
        command=command_lines(words(target.driver.command, variable), indent=4),
        arguments=words((*target.driver.args, *target.driver.extra_args), variable),
        resume=Raw(" ".join(words(target.resume.args, variable))) if target.resume else None,
        env=settings.environment(target, contained=contained),
        unset=settings.unset(target),
        limits=settings.limits(target),
        ports=ports.lines(target, parts.ranks, loopback=uses_loopback),
        texts=texts.blocks(target, parts.ranks, contained=contained),
        ray_command=ray_options.start_command(target),
        ray_options=ray_options.common(target, variable),
        head_options=head_options,
        client_option=ray_options.client(target),
        worker_options=ray_options.worker(target, variable),
        cluster_gpus=flow.cluster_gpus(target),
        on_node_loss=quote(target.on_node_loss),
        has_host_role=contained,
        has_head=parts.ranks.has_head,
        has_workers=parts.ranks.has_workers,
        uses_loopback=uses_loopback,
        head_prepares=any(p.when == "before-ray" and p.on is Where.HEAD for p in target.prepare),
        deaf_driver=flow.driver_is_deaf(target, step=not parts.reports),
        warns_driver=target.on_time_limit is not None,
        drives_ray_job=parts.ranks.has_head and ray_job,
        has_driver=parts.ranks.has_head and target.driver.submit_from == "head",
        inside_name=Raw("inside"),
        exported=Raw(" ".join((*EXPORTED, *exported_variables(here)))),
        cleans_up=target.cleanup is not None,
        keeps_driver_log=parts.ranks.has_head and target.driver.submit_from == "head" and bool(target.logs.driver),
        inside_sources=target.setup is not None or bool(target.env_files) or (host_text and not contained),
        host_sources=host_text and contained,
        in_home=Raw(" ".join(homes.mounted(target, variable))),
        enter=parts.enter,
        before_ray=flow.before_ray(target, parts.ranks, contained=contained),
        before_driver=flow.before_driver(target, contained=contained),
        drive=flow.drive(target, report=parts.reports, contained=contained, reach=parts.reach),
        leave=parts.leave,
        runtime="docker" if engine else target.runtime.value,
        client=runtimes.client(target),
        client_options=_client_options(target),
        gpu_arrays=engines.gpu_arrays(target),
        grant_array=engines.shares_nodes(target),
        gpu_setup=engines.before(target) if engine else (),
        env_prefix=runtimes.env_prefix(target),
        image=runtimes.image(target),
        handover=runtimes.handover(here) if contained else Raw(""),
    )
