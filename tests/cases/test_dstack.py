"""The bug case about dstack (B141): names that its server refuses."""

import re

import pytest
from plain import errors, files

TARGETS = {"job": {"kind": "dstack", "image": {"ref": "example/image:1"}}}
RULE = re.compile(r"^[a-z][a-z0-9-]{1,40}$")
"""`is_valid_dstack_resource_name` in dstack's core."""


@pytest.mark.parametrize("name", ["verl_dapo", "Verl", "7b-grpo", "a" * 42, "a", "verl.dapo"])
def test_b141_a_name_that_dstack_refuses_is_refused_with_one_that_it_takes(name: str) -> None:
    (found,) = errors(name=name, targets=TARGETS)
    assert found.code == "MN290"
    assert "2 to 41 lower-case letters, digits and -" in found.message
    (offered,) = re.findall(r"'([^']+)'", found.hint or "")
    assert RULE.fullmatch(offered)


@pytest.mark.parametrize("name", ["verl-dapo", "ab", "a" * 41, "a-1-"])
def test_b141_a_name_that_dstack_takes_is_kept(name: str) -> None:
    made = files(name=name, targets=TARGETS)
    assert f"\nname: {name}\n" in made["job/task.dstack.yml"]
    (fleet,) = re.findall(r"^name: (\S+)$", made["job/fleet.dstack.yml"], re.MULTILINE)
    assert RULE.fullmatch(fleet)


@pytest.mark.parametrize("name", ["verl_dapo", "Verl", "7b-grpo"])
def test_b141_other_kinds_take_these_names(name: str) -> None:
    assert errors(name=name) == []
