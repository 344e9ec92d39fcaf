"""``raw`` of SkyPilot and dstack: no value of it replaces what a typed field writes."""

from __future__ import annotations

import pytest

from mngen.targets import dstack, skypilot

KINDS = {"skypilot": skypilot, "dstack": dstack}
FULL = {
    "image": {"ref": "a/b:1"},
    "code": {"path": ".", "to": "/code"},
    "env": {"A": "1", "SKYPILOT_DOCKER_USERNAME": "me"},
    "secrets": {"B": {}},
    "expose": [8265],
    "retry": {"max": 4},
    "network": {"fabric": "efa"},
    "mounts": [
        {"source": "s3://bucket/x", "target": "/data"},
        {"source": "/shared/x", "target": "/shared"},
        {"source": "cache", "target": "/cache"},
    ],
    "resources": {
        "gpu_type": "h100",
        "gpu_memory": "80G",
        "cpus": 8,
        "memory": "64G",
        "disk": "1T",
        "shm": "32G",
    },
}
GIT = {"image": {"ref": "a/b:1"}, "code": {"git": "https://example.org/x", "ref": "v1"}}
SETS = {"full": FULL, "git": GIT, "least": {}, "one node": {"resources": {"nodes": 1, "gpus": 0}}}


def sky(raw, **more):
    return {"kind": "skypilot", "raw": raw, **more}


def of_dstack(raw, **more):
    return {"kind": "dstack", "raw": raw, **more}


CASES = {
    "restarts": (sky({"resources": {"job_recovery": {"max_restarts_on_errors": 1}}}, retry={"max": 4}), ["MN294"]),
    "restarts without retry": (sky({"resources": {"job_recovery": {"max_restarts_on_errors": 1}}}), []),
    "recovery beside retry": (sky({"resources": {"job_recovery": {"strategy": "FAILOVER"}}}, retry={"max": 4}), []),
    "network tier": (sky({"resources": {"network_tier": "standard"}}, network={"fabric": "efa"}), ["MN294"]),
    "network tier without a fabric": (sky({"resources": {"network_tier": "best"}}), []),
    "mount": (sky({"file_mounts": {"/data/": "s3://other"}}, mounts=FULL["mounts"]), ["MN294"]),
    "volume where a bucket is": (sky({"volumes": {"/data": "v"}}, mounts=FULL["mounts"]), ["MN294"]),
    "another mount": (sky({"file_mounts": {"/other": "s3://other"}}, mounts=FULL["mounts"]), []),
    "mount over the code": (sky({"file_mounts": {"/code": "./x"}}, code={"path": ".", "to": "/code"}), ["MN294"]),
    "mount over the script": (sky({"file_mounts": {"~/mngen-boot.sh": "x.sh"}}), ["MN294"]),
    "nothing in the place of nodes": (sky({"num_nodes": None}), ["MN294"]),
    "folder beside code": (of_dstack({"working_dir": "/x"}, code={"path": "."}), ["MN294"]),
    "folder beside code elsewhere": (of_dstack({"working_dir": "/x"}, code={"path": ".", "to": "/w"}), []),
    "folder without code": (of_dstack({"working_dir": "/x"}), []),
    "end of the run": (of_dstack({"stop_criteria": "all-done"}), ["MN294"]),
    "end of the run of one node": (of_dstack({"stop_criteria": "all-done"}, resources={"nodes": 1}), []),
    "volume in a list": (
        of_dstack({"volumes": ["v:/shared"]}, mounts=[{"source": "/s", "target": "/shared"}]),
        ["MN294"],
    ),
    "volume in a list of maps": (
        of_dstack({"volumes": [{"name": "v", "path": "/shared"}]}, mounts=[{"source": "/s", "target": "/shared"}]),
        ["MN294"],
    ),
    "file over the script": (of_dstack({"files": ["x.sh:/mngen/boot.sh"]}), ["MN294"]),
    "file beside it": (of_dstack({"files": ["x.sh:/x.sh", "y.sh"]}), []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def leaves(data, path=()):
    """Yield where a document has a value; lists are added to, and replace nothing."""
    for key, value in data.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*path, key))
        elif not isinstance(value, list):
            yield (*path, key)


@pytest.mark.parametrize("fields", SETS.values(), ids=list(SETS))
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_generated_is_replaced_in_silence(codes, target, manifest, kind, fields):
    built = target(kind=kind, **fields)
    for path in leaves(KINDS[kind].task(built, manifest(built))):
        for value in ("other", None):
            raw = value
            for key in reversed(path):
                raw = {key: raw}
            assert "MN294" in codes(kind=kind, raw=raw, **fields), path


def test_several_accelerators_have_a_place_beside_gpus(findings, codes):
    """SkyPilot lays each item of any_of over the other keys: _override_resources in sky/resources.py."""
    (found,) = findings(kind="skypilot", raw={"resources": {"accelerators": {"H100": 8, "A100-80GB": 8}}})
    assert "any_of: [{accelerators: " in (found.hint or "")
    assert codes(kind="skypilot", raw={"resources": {"any_of": [{"accelerators": "A100-80GB:8"}]}}) == []
