"""The quoting of words by itself: alone, beside a placeholder, behind an option's name; for bash and for ShellCheck."""

import subprocess
from pathlib import Path

import pytest
from linting import findings
from values import NOT_TEXT, pool

from mngen.launch.words import quote, word
from mngen.manifest.text import Ref, Text

VALUES = [value for value in pool() if "\0" not in value and value not in NOT_TEXT]
INNER = "in $side"
FORMS = {
    "alone": ([quote(value) for value in VALUES], VALUES),
    "behind an option": ([f"--name={quote(value)}" for value in VALUES], [f"--name={value}" for value in VALUES]),
    "before a placeholder": (
        [word(Text((value, Ref("x"))), str) for value in VALUES],
        [value + INNER for value in VALUES],
    ),
    "around placeholders": (
        [word(Text((Ref("x"), value, Ref("x"), value)), str) for value in VALUES],
        [INNER + value + INNER + value for value in VALUES],
    ),
}
PARTS = 24
HEAD = "#!/usr/bin/env bash\nset -eu\nx=1\n"
LOCALES = ("C", "C.UTF-8", "POSIX")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("form", FORMS)
def test_bash_reads_every_word_back(form: str, locale: str, tmp_path: Path) -> None:
    words, meant = FORMS[form]
    script = f"x=$'{INNER}'\nprintf '%s\\0' " + " ".join(words) + "\n"
    done = subprocess.run(
        ["bash"],
        input=script.encode(),
        cwd=tmp_path,
        env={"LC_ALL": locale, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().split("\0")[:-1] == meant
    assert done.stderr == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", FORMS)
def test_shellcheck_finds_nothing_in_any_argument(form: str, tmp_path: Path) -> None:
    words = FORMS[form][0][:: 1 if form == "alone" else 3]
    items = ["".join(f"  {item}\n" for item in words[start::PARTS]) for start in range(PARTS)]
    assert findings([f'{HEAD}A=(\n{item})\necho "${{A[@]}}" "${{x}}"\n' for item in items], tmp_path) == []


def test_shellcheck_finds_nothing_in_variables(tmp_path: Path) -> None:
    # Many assignments in one script cost ShellCheck the square of their number, so every fourth has to do.
    words, parts = FORMS["alone"][0][::4], 2 * PARTS
    items = ["".join(f"export V={item}\n" for item in words[start::parts]) for start in range(parts)]
    assert findings([f'{HEAD}{item}echo "${{x}}"\n' for item in items], tmp_path) == []


def test_nul_is_refused() -> None:
    with pytest.raises(ValueError, match="NUL"):
        quote("a\0b")
