"""A driver that was pasted as one text is as readable as one whose arguments are listed."""

from __future__ import annotations

import subprocess

from mngen.launch.layout import WIDTH, command_lines
from mngen.launch.words import quote

LONG = [
    *(
        "uv",
        "run",
        "python3",
        "-u",
        "-m",
        "verl.trainer.main_ppo",
        "--config",
        "a.yaml",
        "--flag",
        "data.train_files=/d/a b",
    ),
    *("+trainer.x=1", "~trainer.y", "--list", "one", "two three", "-lr", "1e-6", "trainer.logger=['console']", "plain"),
    *("--text", "two\nlines", "--tilde=~/x", "actor.a.b.c.d.e.f.g.h.i.j.k.l=" + "z" * 150),
]


def test_each_option_and_setting_has_its_line() -> None:
    text = command_lines([quote(word) for word in LONG], indent=4)
    lines = text.split("\n    ")
    assert lines[0] == "uv run python3 -u -m verl.trainer.main_ppo"
    assert lines[1:3] == ["--config a.yaml", "--flag"]
    assert "--list one 'two three'" in lines
    assert "-lr 1e-6" in lines


def test_its_words_are_the_same() -> None:
    text = command_lines([quote(word) for word in LONG], indent=4)
    script = f"a=(\n    {text}\n)\nprintf '%s\\0' \"${{a[@]}}\""
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == LONG


def test_a_short_one_stays_on_a_line() -> None:
    assert (
        command_lines([quote(word) for word in LONG[:7]], indent=4)
        == "uv run python3 -u -m verl.trainer.main_ppo --config"
    )
    assert len(command_lines([quote("x" * 50), quote("--y=" + "z" * 49)], indent=4)) <= WIDTH
