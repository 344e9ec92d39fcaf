"""``container.options``: every word is an option, or the value of one."""

from __future__ import annotations

import pytest

from mngen.checks.option_tables import table
from mngen.manifest.judging.container_flags import FLAGS, VALUED
from mngen.manifest.judging.container_names import SHORTS
from mngen.manifest.model import Runtime

PROGRAMS = {
    Runtime.DOCKER: "docker run",
    Runtime.PODMAN: "podman run",
    Runtime.APPTAINER: "apptainer exec",
    Runtime.PYXIS: "srun",
}


def options(runtime, *words, **more):
    image = {"sqsh": "/a.sqsh"} if runtime == "pyxis" else {"ref": "a/b:1"}
    return {"runtime": runtime, "image": image, "container": {"options": list(words)}, "resources": SHM, **more}


SHM = {"shm": "64G", "gpus": 0}
VALUES = {"docker": "--volume", "podman": "--device", "apptainer": "--bind", "pyxis": "--container-workdir"}
FLAG = {"docker": "-q", "podman": "-q", "apptainer": "-f", "pyxis": "--container-remap-root"}
CASES = {
    **{f"{runtime}: another image": (options(runtime, "a/b:2"), ["MN306"]) for runtime in VALUES},
    **{f"{runtime}: no word": (options(runtime, ""), ["MN306"]) for runtime in VALUES},
    **{f"{runtime}: the end of options": (options(runtime, "--"), ["MN306"]) for runtime in VALUES},
    **{f"{runtime}: no value at the end": (options(runtime, option), ["MN306"]) for runtime, option in VALUES.items()},
    **{
        f"{runtime}: no value before an option": (options(runtime, option, "--site-option"), ["MN306"])
        for runtime, option in VALUES.items()
    },
    **{f"{runtime}: value": (options(runtime, option, "/x:/y"), []) for runtime, option in VALUES.items()},
    **{f"{runtime}: value in one": (options(runtime, f"{option}=/x:/y"), []) for runtime, option in VALUES.items()},
    **{
        f"{runtime}: two values": (options(runtime, option, "/x", "/y"), ["MN306"])
        for runtime, option in VALUES.items()
    },
    **{
        f"{runtime}: blank for an equals sign": (options(runtime, f"{option} /x:/y"), ["MN306"])
        for runtime, option in VALUES.items()
    },
    **{
        f"{runtime}: two options in one word": (options(runtime, f"{option}=/x:/y --site-option=1"), ["MN306"])
        for runtime, option in VALUES.items()
    },
    **{f"{runtime}: unknown option": (options(runtime, "--site-option", "x"), []) for runtime in VALUES},
    **{f"{runtime}: unknown option alone": (options(runtime, "--site-option", "-z"), []) for runtime in VALUES},
    "pyxis: value of a flag": (options("pyxis", "--container-entrypoint", "x"), ["MN306"]),
    "docker: value of a flag": (options("docker", "--no-healthcheck", "true"), ["MN306"]),
    "docker: flag with its value": (options("docker", "--no-healthcheck=true"), []),
    "docker: no value, by letter": (options("docker", "-v"), ["MN306"]),
    "docker: value of a letter": (options("docker", "-v", "/x:/y"), []),
    "docker: value in one with its letter": (options("docker", "-v/x:/y"), []),
    "docker: value behind a letter and a blank": (options("docker", "-v /x:/y"), ["MN306"]),
    "docker: letters together": (options("docker", "-Pv", "/x:/y"), []),
    "docker: letters together, without the last one's value": (options("docker", "-Pv"), ["MN306"]),
    "docker: an own one among letters": (options("docker", "-qd"), ["MN275"]),
    "docker: a number below nothing": (options("docker", "--oom-score-adj", "-500"), []),
    "docker: words of another program": (options("docker", "-e", "ARGS=--x 1 --y", "--label=a=-b -c"), []),
    "docker: a word that the node knows": (options("docker", "${{ env.OPTIONS }}", "--volume", "${{ env.V }}"), []),
    "another kind, which starts no client": (options("docker", "a/b:2", kind="skypilot"), []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize("runtime", PROGRAMS, ids=lambda runtime: runtime.value)
def test_the_lists_are_those_of_the_tables(runtime):
    known = {option.name: option for option in table(PROGRAMS[runtime]).options.values()}
    if runtime is Runtime.PYXIS:  # its options beside srun's own, of which --container-id is one
        known = {name: option for name, option in known.items() if "container-" in name and name != "--container-id"}
    assert FLAGS[runtime] == {name for name, option in known.items() if not option.takes_value}
    assert VALUED[runtime] == {name for name, option in known.items() if option.takes_value}
    if runtime is not Runtime.PYXIS:
        letters = {short: option.name for option in known.values() for short in option.shorts}
        assert {short: name for short, name in SHORTS[runtime].items() if len(short) == 2} == letters


def test_the_hint_applied_ends_the_finding(findings, codes):
    (found,) = findings(**options("docker", "--cap-add=A --ulimit=core=0"))
    assert found.hint == "write two items: '--cap-add=A', '--ulimit=core=0'"
    assert codes(**options("docker", "--cap-add=A", "--ulimit=core=0")) == []
    (found,) = findings(**options("docker", "-v"))
    assert found.hint == "write one item, --volume=VALUE"
