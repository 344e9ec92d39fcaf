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
    "PATH among others": (export("PATH,HOME,USER"), ["MN238n"]),
    "PATH last": (export("HOME,PATH"), ["MN238n"]),
    "PATH with a value": (export("PATH=/bin,HOME"), ["MN238n"]),
    "PATH in the value of another": (export("A=PATH"), ["MN238"]),
    "a name that begins so": (export("PATHS,MY_PATH"), ["MN238"]),
    "PATH in raw": (raw("PATH,HOME"), ["MN238n"]),
    "all, in any place": (export("MYVAR,ALL"), []),
    "all, in small letters": (export("all"), []),
    "all and a name": (export("ALL,MYVAR"), []),
    "nothing, without its environment": (export("NIL"), []),
    "a list without the secret": (export("PATH", **SECRET), ["MN238n", "MN239"]),
    "a list with the secret": (export("PATH,A", **SECRET), ["MN238n"]),
    "all and a secret": (export("ALL", **SECRET), []),
    "nothing and an optional secret": (export("NONE", **OPTIONAL), ["MN239w"]),
    "nothing, in raw, and an optional secret": (raw("NIL", **OPTIONAL), ["MN239w"]),
    "a list without the optional secret": (export("PATH", **OPTIONAL), ["MN238n", "MN239w"]),
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
    assert [found for found in findings(**export(value)) if "PATH included" in found.message] == []
