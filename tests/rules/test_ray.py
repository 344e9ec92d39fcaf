"""Ray: IPv6, tokens, versions, raw options, temp dir."""

from __future__ import annotations

from mngen.manifest.image import Pip
from mngen.manifest.rules import ray_temp_dir

V6 = {"family": "ipv6"}


def image(*packages):
    built = {"pip": Pip(packages=packages)}
    return {"runtime": "docker", "built_image": built, "resources": {"shm": "64G"}, "ray": {"version": "2.52.1"}}


CASES = {
    "nothing": ({}, []),
    **{
        f"Ray by {command}": ({"ray": {"command": tuple(command.split())}}, [])
        for command in (
            "ray",
            "uv run ray",
            "/opt/venv/bin/ray",
            "python3 -m ray.scripts.scripts",
            "conda run -n x ray",
        )
    },
    "Ray by a wrapper": ({"ray": {"command": ("/opt/start",)}}, ["MN300"]),
    "Ray by a shell's text": ({"ray": {"command": ("bash", "-c", 'exec ray "$@" --x', "ray")}}, ["MN300"]),
    "Ray by a wrapper, with its Python": ({"ray": {"command": ("/opt/start",), "python": ("python3",)}}, []),
    "Ray by a module that is not Ray's": ({"ray": {"command": ("python3", "-m", "start")}}, ["MN300"]),
    "ipv6 with Ray 2.48": ({"network": V6, "ray": {"version": "2.48.0"}}, ["MN200"]),
    "ipv6 with Ray 2.9, which is older than 2.49": ({"network": V6, "ray": {"version": "2.9.3"}}, ["MN200"]),
    "ipv6 by range with Ray 2.48": ({"network": {"cidr": "fd00::/8"}, "ray": {"version": "2.48"}}, ["MN200"]),
    "ipv6 with Ray 2.49, no dashboard": (
        {"network": V6, "ray": {"version": "2.49.2", "dashboard": {"enabled": False}}},
        ["MN211w"],
    ),
    "ipv6 with Ray 2.49 and ray-job": (
        {"network": V6, "ray": {"version": "2.49.2"}, "driver": {"submit": "ray-job"}},
        ["MN201", "MN202", "MN211w"],
    ),
    "ipv6 with Ray 2.51": ({"network": V6, "ray": {"version": "2.51.0"}}, ["MN202", "MN211w"]),
    "ipv6 with Ray 2.51 and a runtime_env": (
        {
            "network": V6,
            "ray": {"version": "2.51.0"},
            "driver": {"submit": "ray-job", "runtime_env": {"pip": ("x",)}},
        },
        ["MN202", "MN211w"],
    ),
    "ipv6 with Ray 2.52": (
        {"network": V6, "ray": {"version": "2.52"}, "driver": {"submit": "ray-job"}},
        ["MN211w"],
    ),
    "ipv6 with Ray 2.56": ({"network": V6, "ray": {"version": "2.56"}, "driver": {"submit": "ray-job"}}, []),
    "ipv6 with Ray unknown": ({"network": V6}, []),
    "ipv4 with Ray 2.40": ({"network": {"family": "ipv4"}, "ray": {"version": "2.40"}}, []),
    "token with Ray 2.51": ({"ray": {"version": "2.51.0", "auth": "token"}}, ["MN203"]),
    "token with Ray 2.52": ({"ray": {"version": "2.52.0", "auth": "token"}}, []),
    "token among the secrets with Ray 2.51": (
        {"ray": {"version": "2.51.0"}, "secrets": {"RAY_AUTH_TOKEN": {}}},
        ["MN203"],
    ),
    "token among the secrets with Ray 2.52": ({"ray": {"version": "2.52"}, "secrets": {"RAY_AUTH_TOKEN": {}}}, []),
    "open dashboard without tokens": ({"ray": {"dashboard": {"bind": "all"}, "auth": "disabled"}}, ["MN204"]),
    "open dashboard with Ray 2.51": ({"ray": {"dashboard": {"bind": "all"}, "version": "2.51"}}, ["MN204"]),
    "open dashboard with Ray unknown": ({"ray": {"dashboard": {"bind": "all"}}}, ["MN204w"]),
    "open dashboard with a token": ({"ray": {"dashboard": {"bind": "all"}, "auth": "token"}}, []),
    "open dashboard with Ray 2.52": ({"ray": {"dashboard": {"bind": "all"}, "version": "2.52.1"}}, []),
    **{
        f"open dashboard on {kind}": (
            {"kind": kind, "ray": {"dashboard": {"bind": "all"}, "version": "2.52.1"}},
            ["MN204"],
        )
        for kind in ("manual", "skypilot", "dstack")
    },
    "open dashboard, by hand, with a token": (
        {
            "kind": "manual",
            "ray": {"dashboard": {"bind": "all"}, "version": "2.52.1"},
            "secrets": {"RAY_AUTH_TOKEN": {}},
        },
        [],
    ),
    "dashboard off": ({"ray": {"dashboard": {"bind": "all", "enabled": False}, "auth": "disabled"}}, []),
    "outside without a token": (
        {"driver": {"submit": "ray-job", "submit_from": "outside"}, "ray": {"auth": "token"}},
        ["MN205"],
    ),
    "outside, authentication by itself": ({"driver": {"submit": "ray-job", "submit_from": "outside"}}, ["MN205w"]),
    "outside with a token": (
        {"driver": {"submit": "ray-job", "submit_from": "outside"}, "secrets": {"RAY_AUTH_TOKEN": {}}},
        [],
    ),
    "token that may be missing": ({"secrets": {"RAY_AUTH_TOKEN": {"required": False}}}, ["MN205"]),
    "token that may be missing where there is none": (
        {"secrets": {"RAY_AUTH_TOKEN": {"required": False}}, "ray": {"auth": "disabled"}},
        ["MN205w"],
    ),
    "token of an open cluster": ({"secrets": {"RAY_AUTH_TOKEN": {}}, "ray": {"auth": "disabled"}}, ["MN205w"]),
    "outside of an open cluster": (
        {"driver": {"submit": "ray-job", "submit_from": "outside"}, "ray": {"auth": "disabled"}},
        [],
    ),
    "outside with an old Ray": (
        {"driver": {"submit": "ray-job", "submit_from": "outside"}, "ray": {"version": "2.40"}},
        [],
    ),
    "another Ray in the image": (image("ray[default]==2.50.0"), ["MN249"]),
    "the same Ray in the image": (image("verl", "ray[default]==2.52.1"), []),
    "any Ray in the image": (image("ray[default]>=2.50", "raytune==1.0"), []),
    "another Ray in an image that is not used": ({**image("ray==2.50.0"), "runtime": "none"}, []),
    "newer than the table": ({"ray": {"version": "2.99.0"}}, ["MN206w"]),
    "older than the table": ({"ray": {"version": "2.8.1"}}, ["MN206w"]),
    "newest of the table": ({"ray": {"version": "2.60.0"}}, []),
    "raw port": ({"ray": {"start_args": ["--port=6379"]}}, ["MN207"]),
    "raw options of the launch script": (
        {
            "ray": {
                "head_args": ["--head", "--block", "--address=x", "--node-name=y"],
                "worker_args": ["--num-gpus", "8"],
            }
        },
        ["MN207"] * 5,
    ),
    "raw temp dir": ({"ray": {"start_args": ["--temp-dir", "/tmp/x"]}}, ["MN207"]),
    "raw worker ports": ({"ray": {"start_args": ["--min-worker-port=1", "--max-worker-port=2"]}}, ["MN207"] * 2),
    "raw resources": ({"ray": {"start_args": ['--resources={"a": 1}', "--plasma-directory=/x"]}}, []),
    "raw resources twice": (
        {
            "ray": {
                "start_args": ['--resources={"a": 1}'],
                "head_args": ['--resources={"b": 1}'],
                "worker_args": ["--resources", "{}"],
            }
        },
        ["MN207w"] * 2,
    ),
    "raw resources of each": ({"ray": {"head_args": ['--resources={"b": 1}'], "worker_args": ["--resources={}"]}}, []),
    "raw object store": ({"ray": {"start_args": ["--object-store-memory=1000"]}}, []),
    "raw and typed object store": (
        {"ray": {"start_args": ["--object-store-memory=1000"], "object_store": "10G"}},
        ["MN207"],
    ),
    "head's option on workers": ({"ray": {"start_args": ["--system-config={}"]}}, ["MN207"]),
    "head's option on the head": ({"ray": {"head_args": ["--system-config={}"]}}, []),
    "option of an old Ray": ({"ray": {"head_args": ["--storage=/x"], "version": "2.50.0"}}, ["MN208"]),
    "option of this Ray": ({"ray": {"head_args": ["--storage=/x"], "version": "2.46.0"}}, []),
    "temp dir of 19 bytes": ({"ray": {"temp_dir": "/" + "a" * 18}}, []),
    "temp dir of 20 bytes": ({"ray": {"temp_dir": "/" + "a" * 19}}, ["MN209"]),
    "temp dir counted in bytes": ({"ray": {"temp_dir": "/" + "ä" * 10}}, ["MN209", "MN256"]),
    "temp dir with a substitution": ({"ray": {"temp_dir": "/$(id)"}}, ["MN256"]),
    "temp dir with a blank": ({"ray": {"temp_dir": "/a b"}}, ["MN256"]),
    "temp dir with a colon": ({"ray": {"temp_dir": "/a:b"}}, ["MN256"]),
    "temp dir in plain words": ({"ray": {"temp_dir": "/local/a_b-c.d"}}, []),
    "temp dir on a shared mount": (
        {"ray": {"temp_dir": "/scratch/me"}, "mounts": [{"source": "/scratch", "target": "/s", "shared": True}]},
        ["MN210"],
    ),
    "temp dir on a node's own mount": (
        {"ray": {"temp_dir": "/nvme"}, "mounts": [{"source": "/nvme", "target": "/nvme"}]},
        [],
    ),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_both_places_are_named(findings):
    (found,) = findings(network=V6, ray={"version": "2.48.0"})
    assert "ray.version is 2.48.0" in found.message
    assert "network.family" in found.message
    assert [label.text for label in found.labels] == ["network.family is set here"]
    assert found.span != found.labels[0].span
    assert "2.49" in found.hint


def test_temp_dir_room_is_ray_limit():
    # <temp>/session_<26-char stamp>_<7-digit pid>/sockets/plasma_store within 107 bytes
    path = "/" + "t" * (ray_temp_dir.LIMIT - 1) + "/session_" + "s" * 26 + "_1234567/sockets/plasma_store"
    assert len(path) == 107
    assert len("/mngen-123456789012-99/r") == ray_temp_dir.OWN_FOLDER
