"""Options that mngen itself writes for Slurm: none of them can be given a second time in silence."""

from __future__ import annotations

import re

import pytest

from mngen.manifest.judging.slurm_options import FLAGS, SHORTS, TYPED
from mngen.targets.slurm import _step_options
from mngen.targets.slurm_directives import directives
from mngen.targets.slurm_options import OPTIONS, Form

YES = {Form.FLAG, Form.FLAG_OR_VALUE, Form.YES_NO, Form.ONE_ZERO, Form.OPPOSITE, Form.OFF}
EVERY_FIELD = {name: True if OPTIONS[name].form in YES else "1" for name in TYPED}
LIMIT = {"before": 300, "then": "requeue"}
SETS = {
    "least": {"resources": {"gpus": 0}},
    "GPUs": {},
    "GPUs by gres": {"slurm": {"gpu_request": {"form": "gres"}}},
    "loss of a node": {"on_node_loss": "continue"},
    "requeued": {"on_time_limit": LIMIT, "slurm": {"time": "1-0"}},
    "retried": {"retry": {"max": 1}},
    "not requeued by Slurm": {"slurm": {"requeue": False}},
    "all of a node": {"resources": {"cpus": 8, "memory": "64G"}},
    "memory of a CPU": {"resources": {"memory": {"per_cpu": "4G"}}},
    "memory of a GPU": {"resources": {"memory": {"per_gpu": "64G"}}},
    "memory of a GPU that nobody asks for": {
        "resources": {"memory": {"per_gpu": "64G"}},
        "slurm": {"gpu_request": {"form": "none"}},
    },
    "an array": {"slurm": {"array": "0-3"}},
    "logs": {"slurm": {"output": "%x.out", "error": "%x.err"}},
    "every field": {"slurm": EVERY_FIELD},
}


def again(line):
    """Yield a directive as it is, with another value, and by its letter."""
    name, equals, value = line.partition("=")
    yield [line]
    for short, long in SHORTS.items():
        if long == name:
            yield [short, value] if equals and name not in FLAGS else [short]


def ways(lines):
    return [words for line in lines for words in again(str(line))]


CASES = {
    "open mode": ({"slurm": {"extra": ["--open-mode=append"]}}, ["MN228"]),
    "another open mode": ({"slurm": {"extra": ["--open-mode=truncate"]}}, ["MN228"]),
    "open mode that nobody else writes": ({"slurm": {"extra": ["--open-mode=append"], "requeue": False}}, []),
    "no kill": ({"slurm": {"extra": ["-k"]}, "on_node_loss": "continue"}, ["MN228"]),
    "kill": ({"slurm": {"extra": ["--no-kill=off"]}, "on_node_loss": "continue"}, ["MN228"]),
    "no kill that nobody else writes": ({"slurm": {"extra": ["-k"]}}, []),
    "overlap": ({"slurm": {"srun_args": ["--overlap"]}}, ["MN305"]),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize("fields", SETS.values(), ids=list(SETS))
def test_a_directive_that_is_written_is_refused_in_extra(codes, target, fields):
    for words in ways(directives(target(**fields))):
        slurm = {**fields.get("slurm", {}), "extra": words}
        found = codes(**{**fields, "slurm": slurm})
        assert {"MN228", "MN230"} & set(found), words


@pytest.mark.parametrize("fields", SETS.values(), ids=list(SETS))
def test_a_step_option_that_is_written_is_refused_in_srun_args(codes, target, fields):
    for word in re.findall(r"--[a-z-]+", str(_step_options(target(**fields)))):
        slurm = {**fields.get("slurm", {}), "srun_args": [word]}
        assert "MN305" in codes(**{**fields, "slurm": slurm}), word


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["--open-mode=append"], {"open_mode": "append"}),
        (["--no-kill"], {"no_kill": True}),
        (["--no-kill=off"], {"no_kill": False}),
    ],
)
def test_the_hint_names_the_field(codes, findings, words, field):
    (found,) = findings(on_node_loss="continue", slurm={"extra": words})
    ((name, value),) = field.items()
    assert f"slurm: {{{name}: {str(value).lower()}}}" in found.hint
    assert "MN228" not in codes(on_node_loss="continue", slurm=field)
