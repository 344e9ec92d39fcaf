"""``raw`` of SkyPilot and dstack: its keys stand where the client's task file has them."""

from __future__ import annotations

import pytest

from mngen.manifest.cloud_keys import RESOURCES, TASK


def sky(raw, **more):
    return {"kind": "skypilot", "raw": raw, **more}


def of_dstack(raw, **more):
    return {"kind": "dstack", "raw": raw, **more}


CASES = {
    "resources' key at the top": (sky({"use_spot": True}), ["MN312w"]),
    "two of them": (sky({"use_spot": True, "region": "eu"}), ["MN312w", "MN312w"]),
    "in its place": (sky({"resources": {"use_spot": True, "region": "eu"}}), []),
    "task's key in resources": (sky({"resources": {"pool": "a"}}), ["MN312w"]),
    "key of dstack": (sky({"spot_policy": "spot"}), ["MN312w"]),
    "misspelt": (sky({"resources": {"use_spott": True}}), ["MN312w"]),
    "key that nobody has": (sky({"frobnicate": 1}), ["MN312w"]),
    "private key": (sky({"resources": {"_cluster_config_overrides": {}}}), []),
    "dstack's key in resources": (of_dstack({"resources": {"spot_policy": "spot"}}), ["MN312w"]),
    "dstack's in its place": (of_dstack({"spot_policy": "spot", "fleets": ["a"], "max_duration": "6h"}), []),
    "key of SkyPilot": (of_dstack({"use_spot": True}), ["MN312w"]),
    "resources of SkyPilot": (of_dstack({"resources": {"use_spot": True}}), ["MN312w"]),
    "a list of resources": (sky({"resources": {"any_of": [{"infra": "aws"}]}}), []),
}

HINTS = {
    "skypilot": [
        ({"use_spot": True}, "write `raw: {resources: {use_spot: true}}`"),
        ({"spot": True}, "write `raw: {resources: {use_spot: true}}`"),
        ({"spot_policy": "on-demand"}, "write `raw: {resources: {use_spot: false}}`"),
        ({"backends": ["aws"]}, "write `raw: {resources: {infra: aws}}`"),
        ({"backends": ["aws", "gcp"]}, "write `raw: {resources: {infra: …}}`"),
        ({"accelerators": "H100:8"}, "write it in `resources` of `raw`"),
        ({"resources": {"pool": "a"}}, "write `raw: {pool: a}`"),
        ({"resources": {"workdir": "a"}}, "write it at the top of `raw`"),
        ({"resources": {"use_spott": True}}, "did you mean `use_spot`?"),
        ({"frobnicate": 1}, "remove it, or write what the client's reference calls it"),
    ],
    "dstack": [
        ({"use_spot": True}, "write `raw: {spot_policy: spot}`"),
        ({"resources": {"use_spot": False}}, "write `raw: {spot_policy: on-demand}`"),
        ({"resources": {"regions": ["eu"]}}, "write `raw: {regions: [eu]}`"),
        ({"region": "eu"}, "write `raw: {regions: [eu]}`"),
        ({"shm_size": "8GB"}, "write it in `resources` of `raw`"),
    ],
}


@pytest.mark.parametrize(("kind", "raw", "hint"), [(kind, *one) for kind, rows in HINTS.items() for one in rows])
def test_the_hint_is_what_to_write(findings, kind, raw, hint):
    assert [found.hint for found in findings(kind=kind, raw=raw) if found.code == "MN312"] == [hint]


@pytest.mark.parametrize("kind", TASK)
def test_every_key_of_a_client_passes_in_its_place_and_nowhere_else(codes, kind):
    only = {"top": TASK[kind] - RESOURCES[kind] - {"resources"}, "resources": RESOURCES[kind] - TASK[kind]}
    for key in only["top"]:
        assert "MN312w" not in codes(kind=kind, raw={key: "x"}), key
        assert "MN312w" in codes(kind=kind, raw={"resources": {key: "x"}}), key
    for key in only["resources"]:
        assert "MN312w" not in codes(kind=kind, raw={"resources": {key: "x"}}), key
        assert "MN312w" in codes(kind=kind, raw={key: "x"}), key


def test_a_target_without_raw_has_none_of_it(codes):
    assert "MN312w" not in codes(raw={"use_spot": True})
