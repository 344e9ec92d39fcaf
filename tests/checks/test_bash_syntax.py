"""What bash is not asked about parses, whatever it is made of."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from mngen.checks import bash_syntax
from mngen.checks.bash_syntax import RESERVED, is_plain, syntax_errors

BASH = shutil.which("bash") or "bash"
PIECES = [*sorted(RESERVED), *"ab01_%+,./:=@-#$ \t\n", "$HOME", "A=b", "--option=1", " ", "\n", "# why\n", "export "]


def test_the_reserved_words_are_those_of_bash() -> None:
    done = subprocess.run([BASH, "-c", "compgen -k"], capture_output=True, text=True, check=True)
    assert {word for word in done.stdout.split() if word.isalpha()} == RESERVED


def test_texts_of_plain_words_parse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(20)
    made = ("".join(chance.choices(PIECES, k=chance.randrange(12))) for _ in range(20000))
    plain = [text for text in dict.fromkeys(made) if is_plain(text)][:600]
    assert len(plain) == 600
    monkeypatch.setattr(bash_syntax, "is_plain", lambda _: False)
    assert syntax_errors(BASH, plain, tmp_path) == {}


@pytest.mark.parametrize(
    "text",
    [
        *(f"true\n {word}" for word in sorted(RESERVED)),
        *("a;b", "a &", "(a", "a)", "{ a", "a }", "'a", 'a "b', "`a", "$(a", "${a", "a <b", "a >b", "a | b", "a \\"),
        *("a\0", "a\r", "\u00e9", "a\u2028b", "! a", "[[ a", "a*", "~", "a$", "$1", "# \0"),
        "a\n" * 3000,
    ],
)
def test_anything_else_is_left_to_bash(text: str) -> None:
    assert not is_plain(text)


@pytest.mark.parametrize(
    "text", ["", "module load cuda", "export A=b\n", "# why\ncc $CFLAGS -o /usr/bin/tool\n\n  true  \n", "iffy then fi"]
)
def test_simple_commands_are_plain(text: str) -> None:
    assert is_plain(text)
