"""Ports: ranges, collisions, what SkyPilot and dstack hold."""

from __future__ import annotations

import re

from mngen.codes import CODES


def ports(**values):
    return {"ray": {"ports": values}}


def service(port):
    return {"services": {"web": {"port": port}}}


CASES = {
    "ephemeral": (ports(gcs=40000, client=40001), ["MN212w"]),
    "half a range": (ports(worker_min=20002), ["MN213"]),
    "other half": (ports(worker_max=20002), ["MN213"]),
    "reversed range": (ports(worker_min=3000, worker_max=2000), ["MN213"]),
    "short range": ({**ports(worker_min=2000, worker_max=2009), "resources": {"cpus": 96}}, ["MN213"]),
    "long range": ({**ports(worker_min=2000, worker_max=4000), "resources": {"cpus": 96}}, []),
    "two of Ray's": (ports(gcs=6379, dashboard=6379), ["MN214"]),
    "Ray's and a service's": ({**ports(gcs=6379), **service(6379)}, ["MN214"]),
    "two services'": ({"services": {"a": {"port": 8000}, "b": {"port": 8000}}}, ["MN214"]),
    "in the worker range": (ports(gcs=2500, worker_min=2000, worker_max=3000), ["MN214"]),
    "beside the worker range": (ports(gcs=3001, worker_min=2000, worker_max=3000), []),
    "planned dashboard of a manual target": ({"kind": "manual", **service(8265)}, ["MN214"]),
    "planned workers of a manual target": ({"kind": "manual", **service(25000)}, ["MN214"]),
    "given workers of a manual target": (
        {"kind": "manual", "ray": {"ports": {"worker_min": 3000, "worker_max": 5000}}, **service(25000)},
        [],
    ),
    "blocks of a Slurm target": (service(18080), ["MN248w"]),
    "workers of a Slurm target": (service(30080), ["MN248w"]),
    "given workers of a Slurm target": ({**ports(worker_min=2000, worker_max=4000), **service(30080)}, []),
    "SkyPilot's GCS": ({"kind": "skypilot", **ports(gcs=6380)}, ["MN215"]),
    "SkyPilot's dashboard": ({"kind": "skypilot", **ports(dashboard=8266)}, ["MN215"]),
    "SkyPilot's workers": ({"kind": "skypilot", **service(12000)}, ["MN215w"]),
    "SkyPilot's workers by range": ({"kind": "skypilot", **ports(worker_min=10002, worker_max=19999)}, ["MN215w"]),
    "usual port on SkyPilot": ({"kind": "skypilot", **ports(gcs=6379)}, []),
    "SkyPilot's port on Slurm": (ports(gcs=6380), []),
    "dstack's ssh": ({"kind": "dstack", **service(10022)}, ["MN215"]),
    "dstack's agents": ({"kind": "dstack", "expose": [10500]}, ["MN215"]),
    "beside dstack's": ({"kind": "dstack", "expose": [11000]}, []),
    "exposed dashboard on loopback": ({"kind": "skypilot", "expose": [8265]}, ["MN216w"]),
    "exposed dashboard that is off": (
        {"kind": "skypilot", "expose": [8265], "ray": {"dashboard": {"enabled": False}}},
        ["MN216w"],
    ),
    "exposed dashboard of its own port": (
        {"kind": "skypilot", "expose": [9000], "ray": {"ports": {"dashboard": 9000}}},
        ["MN216w"],
    ),
    "exposed dashboard with a token": (
        {"kind": "skypilot", "expose": [8265], "ray": {"dashboard": {"bind": "all"}, "auth": "token"}},
        [],
    ),
    "exposed GCS": ({"kind": "skypilot", "expose": [6379]}, ["MN204"]),
    "exposed GCS, disabled": (
        {"kind": "skypilot", "expose": [6479], "ray": {"ports": {"gcs": 6479}, "auth": "disabled"}},
        ["MN204"],
    ),
    "exposed GCS of an old Ray": (
        {"kind": "skypilot", "expose": [6379], "ray": {"version": "2.49.2"}, "secrets": {"RAY_AUTH_TOKEN": {}}},
        ["MN203", "MN204"],
    ),
    "exposed GCS with a token": ({"kind": "skypilot", "expose": [6379], "secrets": {"RAY_AUTH_TOKEN": {}}}, []),
    "opened by raw, each once": (
        {"kind": "skypilot", "raw": {"resources": {"ports": ["20001", "6000-7000", 8000, "x"]}}},
        ["MN204", "MN204"],
    ),
    "opened by raw, one": ({"kind": "skypilot", "raw": {"resources": {"ports": 20001}}}, ["MN204"]),
    "exposed service": ({"kind": "skypilot", "expose": [8000], **service(8000)}, []),
    "exposed GCS on dstack, which forwards it": ({"kind": "dstack", "expose": [6379]}, []),
    "exposed dashboard on dstack": ({"kind": "dstack", "expose": [8265]}, []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_a_collision_names_both(findings):
    (found,) = findings(**ports(gcs=6379, dashboard=6379))
    assert "ray.ports.dashboard and ray.ports.gcs are both 6379" in found.message
    assert [label.text for label in found.labels] == ["ray.ports.gcs is set here"]


def test_no_example_of_a_code_names_a_port_that_any_program_may_hold():
    """MN212 is about such a port, and 52365 is what Ray takes by itself."""
    told = {
        int(port)
        for name, code in CODES.items()
        if name != "MN212"
        for port in re.findall(r"port[= ](\d+)", f"{code.explanation} {code.example}")
    }
    assert not {port for port in told if 32768 <= port <= 60999} - {52365}


def test_the_ports_below_the_jobs_area_are_not_called_free(findings):
    (found,) = findings(**service(18080))
    assert "another job" in (found.hint or "") and "from 1024" not in (found.hint or "")
    assert "auto" in (found.hint or "")
