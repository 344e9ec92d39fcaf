"""Commands in one string: the words that a POSIX shell makes of them."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mngen.manifest.words import NotWordsError, expansions, split_words


@given(st.lists(st.text(max_size=8).filter(lambda text: "\x00" not in text), max_size=5))
def test_quoted_words_come_back(words):
    assert split_words(shlex.join(words)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  a\tb\n c ", ["a", "b", "c"]),
        ("a \\\n  --b \\\n", ["a", "--b"]),
        ("\"a\\\nb\" 'c\\\nd'", ["ab", "c\\\nd"]),
        ("a\\ b 'c'\"d\"e", ["a b", "cde"]),
        ('"\\$x \\q \\" \\\\"', ['$x \\q " \\']),
        ("'' \"\"", ["", ""]),
        ("x=['a','b'] +y=1 ++z=2 ~w", ["x=[a,b]", "+y=1", "++z=2", "~w"]),
        ("a#b 'c' '# d'", ["a#b", "c", "# d"]),
        ("lr=1e-6 *.py {a,b} !x", ["lr=1e-6", "*.py", "{a,b}", "!x"]),
        ("", []),
    ],
)
def test_split(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a 'b", 2),
        ('a "b', 2),
        ("a \\", 2),
        ("a && b", 2),
        ("a > b", 2),
        ("pip install x>=1", 13),
        ("a # note", 2),
        ("a `b`", 2),
        ("(a)", 0),
        ("a;", 1),
    ],
)
def test_refused(text, offset):
    with pytest.raises(NotWordsError) as caught:
        split_words(text)
    assert caught.value.offset == offset
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a $HOME", ["$HOME"]),
        ('"${X}"', ["${X}"]),
        ("$(date)", ["$("]),
        ("'$HOME'", []),
        ("\\$HOME", []),
        ("${a.b}", []),
        ("a ~/b c", ["~/b"]),
        ("~/bin/a ~", ["~/bin/a", "~"]),
        ("a ~", ["~"]),
        ('a ~/b $A "$B" $(c) $A ~/b', ["$A", "$B", "$(", "~/b"]),
        ("a '~/b' \"~/c\" \\~/d x~/e ''~/f", []),
        ("a ~trainer.unused", []),
    ],
)
def test_expansions(text, found):
    assert expansions(text) == found


def test_a_string_and_a_list_are_one(target):
    one = target("driver: {command: \"python3 -m t 'a b' ${{ nodes }}x\"}\n")
    two = target("driver: {command: [python3, -m, t, a b, '${{ nodes }}x']}\n")
    assert one.driver.command == two.driver.command


def test_pasted_block(target):
    found = target("driver:\n  command: |\n    python3 -m t \\\n      a=1e-6 \\\n      b='x y'\n")
    assert [word.literal for word in found.driver.command] == ["python3", "-m", "t", "a=1e-6", "b=x y"]


def test_what_a_shell_would_expand_is_warned_about(loaded):
    found = loaded("driver: {command: python3 $DATA}\n")
    assert [(d.code, d.severity.value) for d in found.diagnostics] == [("MN117", "warning")]
    assert found.manifest.targets[0].driver.command[1].literal == "$DATA"


def test_what_only_a_shell_can_do_is_refused(errors):
    assert errors("driver: {command: cd x && python3 t.py}\n")[0][0] == "MN117"
