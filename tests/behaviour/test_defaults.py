"""A variable of the node with a default: what counts where it is set, empty, unset, changed by the manifest itself."""

from __future__ import annotations

import pytest
import ways
from generated import render

ODD = 'it\'s $HOME `id` \\ "x" * ~ \u00e9 $(touch pwned) }'
FIELDS = {
    "driver": {
        "command": ["sim-driver"],
        "args": ["a=${{ env.EPOCHS:-20 }}", "b=${{ env.EPOCHS }}", "${{ env.ODD:-" + ODD + " }}"],
    },
    "env": {"THREADS": "${{ env.THREADS:-16 }}", "TAG": "x/${{ env.TAG:- }}/y"},
}
SET = {"EPOCHS": "5", "THREADS": "4", "TAG": "t", "ODD": "a b"}
EMPTY = dict.fromkeys(SET, "")


@pytest.mark.parametrize("way", ways.WAYS)
@pytest.mark.parametrize("env", [{}, EMPTY, SET], ids=["unset", "empty", "set"])
def test_default(way: str, env: dict[str, str]) -> None:
    sim = ways.cluster(way, nodes=1)
    try:
        step = {"run": f'test "${{{{ env.EPOCHS }}}}" = {"5" if env == SET else "20"}', "when": "before-ray"}
        fields = {**FIELDS, "prepare": [step]}
        status, log = ways.run(way, sim, render(sim, {**fields, "targets": {"job": ways.target(way)}}), env=env)
        assert status == 0, log
        (call,) = sim.records("driver")
        epochs, threads, tag, odd = ("5", "4", "t", "a b") if env == SET else ("20", "16", "", ODD)
        assert call["argv"] == [f"a={epochs}", f"b={epochs}", odd]
        assert (call["env"]["THREADS"], call["env"]["TAG"]) == (threads, f"x/{tag}/y")
        assert ways.clutter(sim) == []
    finally:
        sim.close()
