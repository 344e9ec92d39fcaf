"""Names that launch scripts keep for themselves: none of them is free for the manifest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mngen.manifest.judging import script_names

ROOT = Path(__file__).parents[2]


def test_every_variable_of_the_launch_script_is_taken():
    known = script_names.INTERNAL | set(script_names.OWN) | script_names.RAY_PORTS | script_names.SHELL
    chosen = {"NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "NO_PROXY", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}
    chosen |= {"RAY_USAGE_STATS_ENABLED", "TMPDIR", "LC_ALL", "HOME"}
    found = set()
    for file in sorted((ROOT / "templates").glob("s[hl]*/*")):
        if file.suffix in {".sh", ".j2"}:
            found |= set(re.findall(r"(?<![\w{$.-])([A-Z][A-Z0-9_]+)\+?=", file.read_text()))
    for file in sorted((ROOT / "generator/mngen/launch").glob("*.py")):
        found |= set(re.findall(r'Setting\("([A-Z_]+)"', file.read_text()))
    assert found - known - chosen == set()


def test_every_variable_of_the_examples_scripts_is_taken():
    """What the templates' holes bring is seen in whole files alone; what `env` sets there, and texts, is the user's."""
    known = script_names.INTERNAL | set(script_names.OWN) | script_names.RAY_PORTS | script_names.SHELL
    known |= script_names.OF_LOGS
    chosen = (
        r"(NCCL|GLOO|FI|OMP)_\w+|NO_PROXY|(CUDA|HIP|ROCR)_VISIBLE_DEVICES|HOME|TMPDIR|LC_ALL|RAY_(DEBUG\w*|USAGE_\w+)"
    )
    chosen += r"|SIGNAL|RETRIEVER_PORT|REWARD_PORT|HOST_HOME"
    found = set()
    for file in (ROOT / "golden").glob("*/out/*/*"):
        if file.name in {"job.sbatch", "boot.sh", "head.sh", "worker.sh"}:
            text = re.sub(r"^set_environment\(\) \{\n.*?^\}\n", "", file.read_text(), flags=re.DOTALL | re.MULTILINE)
            text = re.sub(r"^ *cat >.*<<'(\w+)'.*\n(?s:.*?)^\1\n", "", text, flags=re.MULTILINE)
            found |= set(
                re.findall(
                    r"""(?<![\w{$."'/-])([A-Z][A-Z0-9_]+)\+?=""", re.sub(r"^ *#.*", "", text, flags=re.MULTILINE)
                )
            )
            found |= {name for read in re.findall(r"\bread -r ([A-Z_ ]+)", text) for name in read.split()}
            found |= set(re.findall(r"mapfile -t ([A-Z_]+)", text))
    assert {name for name in found - known if not re.fullmatch(chosen, name)} == set()


def test_every_function_of_the_launch_script_is_known():
    found = set()
    for file in sorted((ROOT / "templates").glob("s[hl]*/*")):
        # What the user's shell runs, and not a job's: it reads no text of the manifest.
        if file.suffix in {".sh", ".j2"} and file.name not in {"attach.sh.j2", "submit.sh.j2", "submit_job.sh.j2"}:
            found |= set(re.findall(r"^([a-z_]+)\(\) \{", file.read_text(), re.MULTILINE))
    assert found == script_names.FUNCTIONS


HOME = {"command": ["x", "${{ env.HOME }}/y"]}


@pytest.mark.parametrize(
    ("name", "more", "env", "secret"),
    [
        ("LOG_DIR", {}, [], []),
        ("LOG_DIR", {"logs": {"driver": "t.log"}}, ["MN260"], ["MN260"]),
        ("HOST_HOME", {}, [], []),
        ("HOST_HOME", {"driver": HOME}, ["MN260"], ["MN260"]),
        ("SLURM_TOKEN", {}, ["MN261w"], ["MN260"]),
        ("SLURM_JWT", {}, ["MN261w"], []),
        ("SLURM_TOKEN", {"kind": "manual"}, [], []),
        ("secrets", {}, [], ["MN260"]),
        ("job", {}, [], ["MN260"]),
        ("here", {}, [], ["MN260"]),
        ("RETRY_MAX", {}, ["MN260"], ["MN260"]),
    ],
)
def test_a_name_that_a_job_keeps_where_it_needs_it(codes, name, more, env, secret):
    assert codes(env={name: "5"}, **more) == env
    assert codes(secrets={name: {}}, **more) == secret


@pytest.mark.parametrize("name", ["status", "role", "RANDOM", "FUNCNEST", "LINENO", "SECONDS", "TMOUT"])
def test_a_variable_that_would_not_arrive_is_refused(codes, name):
    assert codes(env={name: "5"}) == ["MN260"]
    assert codes(secrets={name: {}}) == ["MN260"]


def test_what_is_local_to_a_function_that_starts_the_users_programs_is_taken():
    """bash hands a local variable on to a program where the node has exported one of its name."""
    inside = (ROOT / "templates/shell/inside.sh.j2").read_text().partition("\nleave() {")[0]
    names = ("run_driver.sh.j2", "prepare.sh", "services.sh")
    others = [(ROOT / "templates/shell" / name).read_text() for name in names]
    found = set()
    for declared in re.findall(r"^ *local (?:-\w+ )?(.*)", "\n".join([inside, *others]), re.MULTILINE):
        found |= set(re.findall(r"(?:^| )([a-z_]+)=", declared))
    assert found - {"deadline"} == script_names.LOCAL, "while a service is waited for, nothing is started"


def test_every_small_variable_that_outlives_a_text_is_taken():
    """What `inside` sets before it reads `env` and `setup`, and uses after."""
    ports = (ROOT / "generator/mngen/launch/ports.py").read_text()
    (names,) = re.findall(r"names = (\{.*\})", ports)
    found = set(re.findall(r'"([a-z_]+)": "\$\(\(', names))
    assert found == {name for name in script_names.INTERNAL if name.islower()}
