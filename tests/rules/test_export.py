"""``--export``, and secrets that it keeps out of a job or shows in one."""

from __future__ import annotations

import pytest

SECRET = {"secrets": {"A": {}}}
OPTIONAL = {"secrets": {"A": {"required": False}}}
RANDOM = "kd83jf82kd03jf84" + "a9s8d7f6"  # as a key looks, in no form that a scanner knows


def export(value, **more):
    return {"slurm": {"export": value}, **more}


def raw(value, **more):
    return {"slurm": {"extra": [f"--export={value}"]}, **more}


CASES = {
    "PATH among others": (export("PATH,HOME,USER"), ["MN238"]),
    "PATH last": (export("HOME,PATH"), ["MN238"]),
    "PATH with a value": (export("PATH=/bin,HOME"), ["MN238"]),
    "PATH in the value of another": (export("A=PATH"), ["MN238"]),
    "a name that begins so": (export("PATHS,MY_PATH"), ["MN238"]),
    "PATH in raw": (raw("PATH,HOME"), ["MN238"]),
    "all behind a name": (export("MYVAR,ALL"), ["MN238"]),
    "all, in small letters": (export("all"), []),
    "all and a name": (export("ALL,MYVAR"), []),
    "nothing, without its environment": (export("NIL"), []),
    "a list without the secret": (export("PATH", **SECRET), ["MN238", "MN239"]),
    "a list with the secret": (export("PATH,A", **SECRET), ["MN238"]),
    "all behind a name, and a secret": (export("MYVAR,ALL", **SECRET), ["MN238"]),
    "all and a secret": (export("ALL", **SECRET), []),
    "nothing and an optional secret": (export("NONE", **OPTIONAL), ["MN239w"]),
    "nothing, in raw, and an optional secret": (raw("NIL", **OPTIONAL), ["MN239w"]),
    "a list without the optional secret": (export("PATH", **OPTIONAL), ["MN238", "MN239w"]),
    "nothing, and secrets of both kinds": (
        export("NONE", secrets={"A": {}, "B": {"required": False}}),
        ["MN239", "MN239w"],
    ),
    "nothing, and an optional secret in a file": (export("NONE", secrets={"A": {"required": False, "file": "/a"}}), []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize("value", ["PATH,HOME", "HOME,PATH=/bin"])
def test_a_path_that_is_listed_is_not_said_to_be_dropped(findings, value):
    (found,) = findings(**export(value))
    assert "PATH included" not in found.message
    assert "not found" not in found.message
