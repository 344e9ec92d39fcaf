"""Bug cases about the driver's arguments (B98 to B106): each is one item, spelled as it is written."""

from collections.abc import Callable

import pytest
from awkward import AT_SUBMIT, EXPECTED_ARGS, AwkwardJob
from plain import errors
from ways import WAYS

from mngen.manifest.load import load

Jobs = Callable[[str], AwkwardJob]
ARGUMENTS_AT_START = tuple(way for way in WAYS if way != "skypilot")
"""Ways that can append arguments of the command line; a SkyPilot task has none."""


@pytest.mark.parametrize("way", WAYS)
def test_b98_equals_signs_and_inner_quotes_are_kept(awkward_job: Jobs, way: str) -> None:
    assert awkward_job(way).driver["argv"][1:3] == ['ckpt="a/epoch=9-step=8.ckpt"', "k='x=y'"]


@pytest.mark.parametrize("way", WAYS)
def test_b100_prefixes_and_order_are_kept(awkward_job: Jobs, way: str) -> None:
    found = awkward_job(way).driver["argv"]
    assert found[3:6] == ["+x=1", "++y=2", "~z.w"]
    assert found[: len(EXPECTED_ARGS)] == EXPECTED_ARGS


def test_b100_a_tilde_alone_is_refused() -> None:
    text = "apiVersion: mngen/v1\nname: x\ndriver: {command: [sim-driver], args: [~]}\ntargets: {job: {kind: slurm}}\n"
    (found,) = load(text, "manifest.yaml").diagnostics
    assert found.code == "MN106"
    assert "quotes" in (found.hint or "")


@pytest.mark.parametrize("way", WAYS)
def test_b101_numbers_keep_their_spelling(awkward_job: Jobs, way: str) -> None:
    numbers = ["lr=1e-6", "1e-6", "1.0e-6", "5e-7", "0.00001", "1_000", "+3"]
    assert awkward_job(way).driver["argv"][6:13] == numbers


def test_b102_what_is_no_text_is_refused() -> None:
    for args in ({"trainer.logger": ["console", "wandb"]}, [["console", "wandb"]], [{"a": "b"}]):
        (found,) = errors(driver={"command": ["sim-driver"], "args": args})
        assert found.code == "MN103"
        assert found.hint
        assert "['" not in found.message
    (found,) = errors(driver={"command": ["sim-driver"], "args": [None]})
    assert found.code == "MN106"


@pytest.mark.parametrize("way", WAYS)
def test_b102_a_list_in_quotes_is_kept(awkward_job: Jobs, way: str) -> None:
    assert "trainer.logger=['console','wandb']" in awkward_job(way).driver["argv"]


@pytest.mark.parametrize("way", ARGUMENTS_AT_START)
def test_b106_arguments_at_submission_arrive_as_items(awkward_job: Jobs, way: str) -> None:
    assert awkward_job(way).driver["argv"] == EXPECTED_ARGS + AT_SUBMIT
