"""Keys of SkyPilot's and dstack's task files that no field stands for: a manifest writes them below ``raw``.

Lists are of ``get_task_schema`` and ``get_resources_schema`` in SkyPilot's ``sky/utils/schemas.py`` (0.10 to 0.14), and
of ``TaskConfiguration`` in dstack's ``core/models/configurations.py`` and ``profiles.py`` (0.19 to 0.22), all releases
together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mngen.manifest.yaml_text import flow

_MOST = 60
"""A value that takes more characters is not repeated."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TASK = {
    "skypilot": _words(
        "api_access api_server_access config envs event_callback experimental file_mounts file_mounts_mapping inputs "
        "managed_secrets name num_nodes outputs pool resources run secrets service setup volume_mounts volumes workdir"
    ),
    "dstack": _words(
        "availability_zones backend_options backends commands creation_policy docker dstack entrypoint env files "
        "fleets groups home_dir idle_duration image instance_name instance_types instances max_duration max_price name "
        "nodes nvcc pool_name ports priority privileged python regions registry_auth repos reservation resources retry "
        "retry_policy schedule setup shell single_branch spot_policy startup_order stop_criteria stop_duration tags "
        "termination_idle_time termination_policy type user utilization_policy volumes working_dir"
    ),
}
"""What may stand at the top of a task file."""

RESOURCES = {
    "skypilot": _words(
        "accelerator_args accelerators any_of autostop cloud cpus disk_size disk_tier ephemeral_storage image_id infra "
        "instance_type job_recovery labels local_disk max_hourly_cost memory network_tier ordered ports priority "
        "priority_class region use_spot volumes zone"
    ),
    "dstack": _words("cpu disk gpu memory shm_size"),
}
"""What may stand in a task file's ``resources``."""

_TYPED = {
    "skypilot": _words(
        "envs event_callback file_mounts file_mounts_mapping inputs name num_nodes outputs resources run secrets "
        "service setup volume_mounts volumes workdir accelerators cpus disk_size image_id memory ports"
    ),
    "dstack": _words(
        "commands entrypoint env files groups image instance_name name nodes pool_name ports python resources retry "
        "retry_policy setup shell stop_criteria termination_idle_time termination_policy type volumes working_dir cpu "
        "disk gpu memory shm_size"
    ),
}
"""Of those, what a field of the manifest writes, and words too general (or too old) to tell whose they are."""

_TIMES = ("walltime", "time_limit", "timeout", "time")
"""Words that mean dstack's ``max_duration`` in a dstack target alone: elsewhere they mean other limits as well."""

_LISTS = frozenset({"availability_zones", "backends", "fleets", "instance_types", "instances", "regions"})
"""Keys of dstack that take lists."""

_MEANS = {
    "skypilot": {
        **dict.fromkeys(("spot", "preemptible", "spot_policy"), "use_spot"),
        **dict.fromkeys(("backend", "backends", "provider"), "infra"),
        **dict.fromkeys(("zones", "availability_zone", "availability_zones"), "zone"),
        **dict.fromkeys(("max_price", "max_cost"), "max_hourly_cost"),
        **dict.fromkeys(("idle_duration", "idle_minutes_to_autostop", "autodown"), "autostop"),
        "regions": "region",
        "instance_types": "instance_type",
        "disk_type": "disk_tier",
    },
    "dstack": {
        **dict.fromkeys(("spot", "preemptible", "use_spot"), "spot_policy"),
        **dict.fromkeys(("backend", "cloud", "infra", "provider"), "backends"),
        **dict.fromkeys(("zone", "zones", "availability_zone"), "availability_zones"),
        **dict.fromkeys(("max_hourly_cost", "max_cost"), "max_price"),
        **dict.fromkeys(("autostop", "idle_minutes_to_autostop"), "idle_duration"),
        **dict.fromkeys(_TIMES, "max_duration"),
        "region": "regions",
        "fleet": "fleets",
        "instance_type": "instance_types",
    },
}
"""Words of the other client, and of the clouds, each with the key that means it."""


def in_raw(kind: str, key: str, value: Any = None) -> str | None:
    """Return the ``raw`` of a kind that says what a key and its value mean, or ``None`` when the kind knows no such.

    >>> in_raw("skypilot", "use_spot", True), in_raw("dstack", "region", "eu"), in_raw("slurm", "region")
    ('raw: {resources: {use_spot: true}}', 'raw: {regions: [eu]}', None)
    """
    if kind not in TASK:
        return None
    meant = _MEANS[kind].get(key, key)
    if meant in _TYPED[kind]:
        return None
    if meant in RESOURCES[kind]:
        return f"raw: {{resources: {{{meant}: {_value(meant, key, value)}}}}}"
    return f"raw: {{{meant}: {_value(meant, key, value)}}}" if meant in TASK[kind] else None


def raw_hint(kinds: Iterable[str], key: str, value: Any = None) -> str | None:
    """Return a hint to write a key below ``raw``: in any of several kinds of target, or in the one that is meant."""
    known = () if key in _TIMES else kinds
    found = {kind: written for kind in known if (written := in_raw(kind, key, value)) is not None}
    if not found:
        return None
    return "write " + ", ".join(f"`{written}` in a {kind} target" for kind, written in found.items())


def _value(meant: str, key: str, value: Any) -> str:
    """Return what to write as the value of a key, in YAML; ``…`` for what has to be thought about."""
    if meant == "use_spot":
        return "false" if value in (False, "on-demand", "false") else "true"
    if meant == "spot_policy" and key != meant:
        return "on-demand" if value is False else "spot"
    if meant in _LISTS:
        value = value if isinstance(value, list | type(None)) else [value]
        return _written(value) if value else "[…]"
    if isinstance(value, list) and key != meant and len(value) == 1:
        value = value[0]
    same_shape = key == meant or not isinstance(value, dict | list)
    return _written(value) if value is not None and same_shape else "…"


def _written(value: Any) -> str:
    text = flow(value)
    return text if len(text) <= _MOST else "[…]" if isinstance(value, list) else "…"
