"""Findings speak of the line as it stands: its port, its launcher, its user."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from rule_beginnings import DSTACK, SB

from mngen.checks.foreign import check_foreign
from mngen.diagnostics import Diagnostic, Severity

JOINED = "ray start --head\nray start --address=$head_ip:6379 --block\n"


def found(code: str, text: str, file: str = "a.sh") -> Diagnostic:
    return next(item for item in check_foreign(text, file, lint=False) if item.code == code)


@pytest.mark.parametrize(
    ("line", "port"),
    [
        ("vllm serve --address $head_ip:8000", "8000"),
        ("ray start --address=$head_ip:$port", "$port"),
        ('ray start --address="${head_ip}:${RAY_PORT}"', "${RAY_PORT}"),
        ("ray start --address=$head_ip:6379", "6379"),
        ("curl $head_ip:${ports[0]}", "${ports[0]}"),
    ],
)
def test_an_address_is_shown_with_its_own_port(line: str, port: str) -> None:
    assert f"`fd00::1:{port}`" in found("MN753", f"{line}\n").message


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ("accelerate launch --machine_rank $SLURM_PROCID t.py", 'accelerate launch --machine_rank="$SLURM_PROCID"'),
        ("torchrun --node_rank=$SLURM_NODEID t.py", 'torchrun --node_rank="$SLURM_NODEID"'),
        ("python -m torch.distributed.run --node_rank=$SLURM_NODEID t.py", 'torchrun --node_rank="$SLURM_NODEID"'),
        ("deepspeed --node_rank=$SLURM_NODEID t.py", 'deepspeed --node_rank="$SLURM_NODEID"'),
        ("python t.py --rank $SLURM_PROCID", 'export RANK="$SLURM_PROCID"; exec'),
    ],
)
def test_the_rank_is_handed_to_the_launcher_of_the_file(start: str, told: str) -> None:
    hint = found("MN724", f"{SB}srun {start}\n", "a.sbatch").hint or ""
    assert f"srun bash -c '{told} …'" in hint


@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("pkill ray", "of this user (as root: of anyone)"),
        ("srun killall python3", "of this user (as root: of anyone)"),
        ("sudo pkill ray", "of anyone,"),
    ],
)
def test_a_kill_by_name_reaches_what_its_user_may_signal(line: str, whose: str) -> None:
    assert whose in found("MN763", f"srun x\n{line}\n").message


@pytest.mark.parametrize(
    ("last", "what"),
    [
        ("python3 train.py", "the driver"),
        ("python3 -m train", "the driver"),
        ("ray job submit -- x", "the driver"),
        ("vllm serve m", "what uses the cluster"),
        ("bash serve.sh", "what uses the cluster"),
    ],
)
def test_what_starts_too_early_is_a_driver_or_not(last: str, what: str) -> None:
    assert f"have joined before {what} starts" in found("MN757", f"{JOINED}{last}\n").message


@pytest.mark.parametrize(
    ("words", "gap"),
    [
        ("--partition={ partition }", "{ partition }"),
        ("--partition { my partition }", "{ my partition }"),
        ("--mail-user=<your e-mail>", "<your e-mail>"),
        ("-A < account >", "< account >"),
    ],
)
def test_a_gap_is_named_where_sbatch_stumbles_over_it(words: str, gap: str) -> None:
    assert f"`{gap}` was never filled in (MN702)" in found("MN732", f"{SB}#SBATCH {words}\nx\n", "a.sbatch").message


@pytest.mark.parametrize("words", ["--job-name=my job", "--mem=64 GB", "-J a b # <c d>"])
def test_other_words_are_no_gap(words: str) -> None:
    assert "which is no option" in found("MN732", f"{SB}#SBATCH {words}\nx\n", "a.sbatch").message


def test_a_script_without_errexit_goes_on() -> None:
    message = found("MN711", "cd x\npip install y\nsrun train\n").message
    assert message == "nothing stops this script when a step fails: it goes on with the next one"


def test_a_port_of_a_task_of_dstack_is_its_own_too() -> None:
    assert "`fd00::1:29500`" in found("MN753", f"{DSTACK}  - ray start --address=$ip:29500\n", "a.dstack.yml").message


@pytest.mark.parametrize(
    ("option", "severity", "told"),
    [
        ("--ntask-per-node=1", Severity.WARNING, "did you mean `--ntasks-per-node`?"),
        ("--partion=gpu", Severity.WARNING, "did you mean `--partition`?"),
        ("--argos=no", Severity.WARNING, "check the spelling;"),
        ("--image=docker:x/y:1", Severity.NOTE, "right where the site has Shifter"),
        ("--module=gpu", Severity.NOTE, "right where the site has Shifter"),
    ],
)
def test_an_option_that_slurm_does_not_know_leads_to_one_that_it_does(
    option: str, severity: Severity, told: str
) -> None:
    what = found("MN732", f"{SB}#SBATCH {option}\nsrun x\n", "a.sbatch")
    assert what.severity is severity
    assert (what.hint or "").startswith(told)
