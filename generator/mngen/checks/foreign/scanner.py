"""Cuts a shell text into tokens. It never fails: an open quote or bracket ends with the text."""

from __future__ import annotations

import re
from collections.abc import Callable

from mngen.checks.foreign.lines import Place, lines_of
from mngen.checks.foreign.words import Command, Token, Word

_OPERATORS = (
    *("&>>", "<<<", "<<-", ";;&"),
    *("&&", "||", ";;", ";&", "|&", "&>", ">>", "<<", ">&", "<&", "<>", ">|"),
    *("|", "&", ";", "(", ")", "<", ">", "\n"),
)
_NO_OPERATORS = ("((", "<(", ">(")
"""Arithmetic as a command, and process substitutions: words, though they begin like operators."""
_REDIRECTIONS = frozenset({"&>>", "<<<", "<<-", "&>", ">>", "<<", ">&", "<&", "<>", ">|", "<", ">"})
_ARRAY_START = re.compile(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=$")
_BLANK = " \t\r"
_DEEPEST = 30
"""How many substitutions inside substitutions are read."""
_OPERATOR_CHARACTERS = frozenset("&|;()<>\n")

Parse = Callable[["list[Token]"], "tuple[Command, ...]"]


def is_redirection(operator: str) -> bool:
    """Tell whether an operator takes a file (or a here-document's end) as its next word."""
    return operator in _REDIRECTIONS


def comment_lines(text: str) -> frozenset[int]:
    """Return the lines with a comment, counted from 1: a ``#`` inside a string or here-document begins none."""
    scanner = Scanner(text, 1, lambda _: ())
    scanner.tokens()
    return frozenset(scanner.comments)


class Scanner:
    """Reads one text once. ``parse`` turns the tokens of a command substitution into commands."""

    def __init__(self, text: str, place: Place, parse: Parse, depth: int = 0) -> None:
        self._depth = depth
        self._text = text
        self._at = 0
        self._lines = lines_of(text, place)
        self._parse = parse
        self._waiting: list[tuple[Token, str, bool]] = []
        self.comments: list[int] = []
        """The lines on which a comment was skipped."""

    @property
    def _line(self) -> int:
        return self._lines.at(self._at)

    def tokens(self, end: str = "") -> list[Token]:
        """Return the tokens up to ``end`` (``)`` inside a substitution), which is consumed."""
        found: list[Token] = []
        depth = 0
        in_test = False
        while self._at < len(self._text):
            if self._skip_blank():
                continue
            operator = self._operator()
            if operator == end and depth == 0 and end:
                self._at += 1
                break
            if operator and not (in_test and operator != "\n"):
                depth += (operator == "(") - (operator == ")")
                self._add_operator(operator, found)
                continue
            if operator:
                found.append(Token(line=self._line, word=Word(operator, operator, self._line)))
                self._at += len(operator)
                continue
            word = self._word()
            in_test = word.raw == "[[" or (in_test and word.raw != "]]")
            found.append(Token(line=word.line, word=word))
            self._note_heredoc(found)
        return found

    def _inner_tokens(self) -> list[Token]:
        """Return the tokens up to the closing parenthesis; none, and the text skipped, where nesting is absurd."""
        if self._depth == _DEEPEST:
            self._balanced("(", ")", depth=1)
            return []
        self._depth += 1
        tokens = self.tokens(")")
        self._depth -= 1
        return tokens

    def _skip_blank(self) -> bool:
        text, at = self._text, self._at
        if text[at] in _BLANK:
            self._at += 1
            return True
        if text.startswith("\\\n", at):
            self._at += 2
            return True
        if text[at] == "#":
            self.comments.append(self._line)
            end = text.find("\n", at)
            self._at = len(text) if end < 0 else end
            return True
        return False

    def _operator(self) -> str:
        text, at = self._text, self._at
        if text[at] not in _OPERATOR_CHARACTERS or text.startswith(_NO_OPERATORS, at):
            return ""
        return next((op for op in _OPERATORS if text.startswith(op, at)), "")

    def _add_operator(self, operator: str, found: list[Token]) -> None:
        found.append(Token(operator=operator, line=self._line))
        self._at += len(operator)
        if operator == "\n":
            self._read_bodies()

    def _note_heredoc(self, found: list[Token]) -> None:
        if len(found) > 1 and found[-2].operator in {"<<", "<<-"} and found[-1].word is not None:
            self._waiting.append((found[-2], found[-1].word.text, found[-2].operator == "<<-"))

    def _read_bodies(self) -> None:
        for token, end, tabs in self._waiting:
            lines: list[str] = []
            token.body_line = self._line
            while self._at < len(self._text):
                stop = self._text.find("\n", self._at)
                line = self._text[self._at : stop if stop >= 0 else len(self._text)]
                self._at = stop + 1 if stop >= 0 else len(self._text)
                if (line.lstrip("\t") if tabs else line) == end:
                    break
                lines.append(line)
            token.bodies.append("\n".join(lines))
        self._waiting.clear()

    def _word(self) -> Word:
        start, line = self._at, self._line
        shape = _Shape()
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == "(" and _ARRAY_START.match(self._text[start : self._at]):
                self._at += 1
                shape.items = [token.word for token in self._inner_tokens() if token.word is not None]
                break
            if char == "(" and start == self._at:  # only `((` gets here: arithmetic as a command
                self._at += 2
                self._balanced("(", ")", depth=2)
                break
            if char in _BLANK or self._operator():
                break
            self._piece(char, shape)
        raw = self._text[start : self._at]
        if raw.startswith("(("):
            shape.text.append(raw)
        items = None if shape.items is None else tuple(shape.items)
        return Word(raw, "".join(shape.text), line, shape.bare, shape.parts, items, tuple(shape.inner))

    def _piece(self, char: str, shape: _Shape) -> None:
        if char == "'":
            self._at += 1
            shape.text.append(self._until("'"))
        elif char == '"':
            self._at += 1
            shape.parts += 1
            self._double_quoted(shape)
        elif char == "\\":
            if self._text[self._at + 1 : self._at + 2] != "\n":
                shape.text.append(self._text[self._at + 1 : self._at + 2])
            self._at += 2
        elif char in "$`":
            shape.bare = True
            self._expansion(shape)
        elif char in "<>":  # only `<(` and `>(` get here
            start = self._at
            self._at += 2
            shape.inner.extend(self._parse(self._inner_tokens()))
            shape.text.append(self._text[start : self._at])
        else:
            shape.text.append(char)
            self._at += 1

    def _double_quoted(self, shape: _Shape) -> None:
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == '"':
                self._at += 1
                return
            if char == "\\" and self._at + 1 < len(self._text):
                following = self._text[self._at + 1]
                # A continued line stays as written: who reads the string as a script counts its lines.
                shape.text.append(following if following in '$`"\\' else char + following)
                self._at += 2
            elif char in "$`":
                self._expansion(shape)
            else:
                shape.text.append(char)
                self._at += 1

    def _expansion(self, shape: _Shape) -> None:
        start, text = self._at, self._text
        if text.startswith("$'", start):
            self._at += 2
            shape.text.append(self._until("'", escapes=True))
            return
        if text.startswith("$((", start):
            self._at += 3
            self._balanced("(", ")", depth=2)
        elif text.startswith("$(", start):
            self._at += 2
            shape.inner.extend(self._parse(self._inner_tokens()))
        elif text.startswith("${", start):
            self._at += 2
            self._balanced("{", "}", depth=1)
        elif text[start] == "`":
            self._at += 1
            line = self._line
            body = self._until("`", escapes=True)
            if self._depth < _DEEPEST:
                inner = Scanner(body.replace("\\`", "`"), line, self._parse, self._depth + 1)
                shape.inner.extend(self._parse(inner.tokens()))
        else:
            match = re.compile(r"\$([A-Za-z_]\w*|[0-9@*#?$!-])?").match(text, start)
            self._at = match.end() if match else start + 1
        shape.text.append(text[start : self._at])

    def _until(self, end: str, *, escapes: bool = False) -> str:
        start = self._at
        while self._at < len(self._text) and self._text[self._at] != end:
            if escapes and self._text[self._at] == "\\":
                self._at += 1
            self._at += 1
        body = self._text[start : self._at]
        self._at += 1
        return body

    def _balanced(self, opening: str, closing: str, *, depth: int) -> None:
        while self._at < len(self._text) and depth:
            char = self._text[self._at]
            if char == "\\":
                self._at += 1
            depth += (char == opening) - (char == closing)
            self._at += 1


class _Shape:
    """A word while it is read."""

    __slots__ = ("bare", "inner", "items", "parts", "text")

    def __init__(self) -> None:
        self.text: list[str] = []
        self.bare = False
        self.parts = 0
        self.items: list[Word] | None = None
        self.inner: list[Command] = []
