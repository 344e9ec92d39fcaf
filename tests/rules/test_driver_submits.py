"""A driver that submits its work by an address of its own."""

from __future__ import annotations


def driver(*words, **more):
    return {"driver": {"command": list(words)}, **more}


HERE = ("--address", "http://127.0.0.1:8265")
SHELL = "ray job submit --address=http://localhost:8265 -- python3 train.py"
CASES = {
    "submits": (driver("ray", "job", "submit", *HERE, "--", "python3", "train.py"), ["MN317w"]),
    "asks": (driver("ray", "job", "status", "--address=http://localhost:8265/", "x"), ["MN317w"]),
    "submits from a shell's text": (driver("bash", "-c", SHELL), ["MN317w"]),
    "submits, behind env": (driver("env", "A=1", "ray", "job", "submit", *HERE, "--", "x"), ["MN317w"]),
    "submits to IPv6": (driver("ray", "job", "submit", "--address=http://[::1]:8265", "--", "x"), ["MN317w"]),
    "submits to the port that it fixes": (
        driver("ray", "job", "submit", *HERE, "--", "x", ray={"ports": {"dashboard": 8265}}),
        [],
    ),
    "submits to another cluster": (driver("ray", "job", "submit", "--address=http://login1:8265", "--", "x"), []),
    "submits to an address of the job": (
        driver("ray", "job", "submit", "--address=http://${{ head_host }}:1", "--", "x"),
        [],
    ),
    "submits to what Ray finds": (driver("ray", "job", "submit", "--", "x"), []),
    "another program with such an option": (driver("serve", *HERE), []),
    "on a machine of its own": (driver("ray", "job", "submit", *HERE, "--", "x", kind="manual"), []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)
