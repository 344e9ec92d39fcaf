"""Split a pasted command line into words, as a POSIX shell would, without running anything.

Differs from :func:`shlex.split` where pasted commands need it: a backslash before a line break joins
the lines (https://pubs.opengroup.org/onlinepubs/9699919799/utilities/V3_chap02.html#tag_18_02_01),
and what only a shell could carry out (pipes, redirects, comments) is refused instead of passed on as words.
"""

from __future__ import annotations

import re

from msgspec import Struct

_OPERATORS = frozenset("|&;<>()`")
_DOUBLED = {sign: sign for sign in ("&&", "||", ">>", "<<")}
_EXPANSION = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\}|\()")
_HOME = re.compile(r"(?<!\S)~(?:/\S*|(?!\S))")
_IN_DOUBLE_QUOTES = re.compile(r'"[^"]*"')
_ESCAPABLE_IN_QUOTES = frozenset('$`"\\')


class NotWordsError(ValueError):
    """The text is not a plain list of words; ``offset`` is where, ``hint`` what to do."""

    def __init__(self, message: str, offset: int, hint: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.hint = hint


class _State(Struct):
    text: str
    at: int = 0
    word: str | None = None


def split_words(text: str) -> list[str]:
    """Return the words of a command line. Raises :class:`NotWordsError`.

    >>> split_words("python3 -m train lr=1e-6 'a b'")
    ['python3', '-m', 'train', 'lr=1e-6', 'a b']
    """
    state = _State(text)
    words: list[str] = []
    while state.at < len(text):
        character = text[state.at]
        if character in " \t\n\r":
            state.at += 1
            if state.word is not None:
                words.append(state.word)
                state.word = None
        else:
            _part(state, character)
    return words if state.word is None else [*words, state.word]


def _part(state: _State, character: str) -> None:
    """Read one character, escape or quoted run of a word."""
    if character == "'":
        _single(state)
    elif character == '"':
        _double(state)
    elif character == "\\":
        _escape(state)
    elif character in _OPERATORS or (character == "#" and state.word is None):
        sign = _DOUBLED.get(state.text[state.at : state.at + 2], character)
        raise NotWordsError(f"`{sign}` is for a shell, and no shell reads a command", state.at, _instead(state, sign))
    else:
        state.word = (state.word or "") + character
        state.at += 1


def _instead(state: _State, sign: str) -> str:
    """Return what to write where a shell's sign stands; ``cd DIR && …`` has a field of its own."""
    before = state.text[: state.at].split()
    if sign == "&&" and before[:1] == ["cd"] and len(before) == 2:
        return f"write workdir: {before[1]} for the folder, and only what follows `&&` here"
    return "quote it if it is meant as text; else write [bash, -c, '…'] or use `setup` or `prepare`"


def _escape(state: _State) -> None:
    following = state.text[state.at + 1 : state.at + 2]
    if not following:
        raise NotWordsError("the command ends with a backslash", state.at, "remove it")
    if following != "\n":
        state.word = (state.word or "") + following
    state.at += 2


def _single(state: _State) -> None:
    end = state.text.find("'", state.at + 1)
    if end < 0:
        raise NotWordsError("a single quote is not closed", state.at, "close it, or write the command as a list")
    state.word = (state.word or "") + state.text[state.at + 1 : end]
    state.at = end + 1


def _double(state: _State) -> None:
    opening = state.at
    state.word = state.word or ""
    state.at += 1
    while state.at < len(state.text):
        character = state.text[state.at]
        if character == '"':
            state.at += 1
            return
        following = state.text[state.at + 1 : state.at + 2]
        if character == "\\" and following == "\n":
            state.at += 2
        elif character == "\\" and following in _ESCAPABLE_IN_QUOTES and following:
            state.word += following
            state.at += 2
        else:
            state.word += character
            state.at += 1
    raise NotWordsError("a double quote is not closed", opening, "close it, or write the command as a list")


def expansions(text: str) -> list[str]:
    """Return what in a command line its author's shell would have expanded, outside single quotes, each once."""
    unquoted = re.sub(r"'[^']*'|\\.", "''", text, flags=re.DOTALL)
    found = [*_EXPANSION.findall(unquoted), *_HOME.findall(_IN_DOUBLE_QUOTES.sub("''", unquoted))]
    return list(dict.fromkeys(found))
