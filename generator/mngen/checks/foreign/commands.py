"""Groups the tokens of a shell text into simple commands, each with its surroundings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from mngen.checks.foreign.lines import Place
from mngen.checks.foreign.scanner import Scanner, is_redirection
from mngen.checks.foreign.words import Assign, Command, Redirect, Token, Word

_PREFIXES = frozenset({"!", "time", "then", "elif", "else"})
_DECLARING = frozenset({"export", "declare", "local", "readonly", "typeset"})
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\[[^]]*\])?\+?=")


def parse(text: str, place: Place = 1) -> tuple[Command, ...]:
    """Return the commands of a shell text in order; those inside ``$(…)`` hang at their word.

    ``place`` says where in the file the text stands. A word that closes a group (``done``, ``fi``,
    ``}``, ``)``) is a command of its own, so that a redirection or ``&`` after it is not lost.
    """
    return _parse_tokens(Scanner(text, place, _parse_tokens).tokens())


def flatten(commands: tuple[Command, ...]) -> Iterator[Command]:
    """Yield every command, the ones in substitutions before the command that holds them."""
    for command in commands:
        for word in _all_words(command):
            for inner in flatten(word.inner):
                yield replace(within(inner, command), origin=inner.origin or "substitution")
        yield command


def within(inner: Command, holder: Command) -> Command:
    """Return a command of a text that another command holds, with the loops, branches and function around both."""
    condition = inner.condition if inner.loops else holder.condition
    return replace(
        inner,
        loops=holder.loops + inner.loops,
        condition=condition,
        branches=holder.branches + inner.branches,
        groups=holder.groups + inner.groups,
        holder=inner.holder or holder.holder,
    )


def _all_words(command: Command) -> Iterator[Word]:
    yield from command.words
    for assign in command.assigns:
        # The words of `export` hold their assignments too; their substitutions count once.
        if not any(word.inner and word.inner == assign.value.inner for word in command.words):
            yield assign.value
        yield from assign.value.items or ()
    for redirect in command.redirects:
        yield redirect.target


def _parse_tokens(tokens: list[Token]) -> tuple[Command, ...]:
    grouping = _Grouping()
    for number, token in enumerate(tokens):
        following = tokens[number + 1].operator if number + 1 < len(tokens) else ""
        grouping.take(token, following)
    grouping.close("")
    return tuple(grouping.commands)


class _Grouping(Struct):
    """The state of one pass over the tokens."""

    commands: list[Command] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    pending: Token | None = None
    number: str = ""
    """The file descriptor of the redirection that is pending."""
    before: str = ""
    role: str = ""
    negated: bool = False
    loops: list[str] = field(default_factory=list)
    opened: str = ""
    """A loop whose ``do`` has not come yet."""
    branches: int = 0
    braces: list[str] = field(default_factory=list)
    """The groups in ``{``: of each the name of the function whose body it is, or nothing."""
    parens: int = 0
    defining: str = ""
    """The name of a function whose body has not come yet."""
    pattern: bool = False
    """Between ``in`` or ``;;`` and the ``)`` of a ``case``."""

    def take(self, token: Token, following: str) -> None:
        if self.pattern:
            self._pattern(token)
        elif token.word is not None:
            self._word(token.word)
        elif is_redirection(token.operator):
            described = bool(self.words) and self.words[-1].raw.isdigit()
            self.number = self.words.pop().raw if described else ""
            self.pending = token
        elif self._names_function(token.operator, following):
            self.defining = self.words[-1].raw
            self.words.clear()
        else:
            self._operator(token)

    def _names_function(self, operator: str, following: str) -> bool:
        """Tell whether an operator ends the name of a function: ``name ()``, ``function name ()``, or its line."""
        keyword = len(self.words) == 2 and self.words[0].raw == "function"
        if operator == "(":
            return following == ")" and (keyword or len(self.words) == 1)
        return operator == "\n" and keyword

    def _pattern(self, token: Token) -> None:
        if token.operator == ")":
            self.pattern = False
        elif token.word is not None and token.word.raw == "esac":
            self.pattern = False
            self._word(token.word)

    def _operator(self, token: Token) -> None:
        self.close(token.operator)
        if token.operator in {";;", ";&", ";;&"}:
            self.pattern = True
        elif token.operator == "(":
            self.parens += 1
        elif token.operator == ")" and self.parens:
            self.parens -= 1
            self.words.append(Word(")", ")", token.line))

    def close(self, operator: str) -> None:
        """End the command that is being read, if there is one."""
        if self.words or self.redirects:
            self.commands.append(self._command(operator))
            self.role = ""
            self.negated = False
            self.before = operator
        elif operator not in {"", "\n"}:
            self.before = operator
        self.words.clear()
        self.redirects.clear()

    def _word(self, word: Word) -> None:
        if self.pending is not None:
            body = self.pending.bodies[0] if self.pending.bodies else None
            self.redirects.append(Redirect(self.pending.operator, word, body, self.pending.body_line, self.number))
            self.pending = None
        elif self.words and self.words[0].raw == "case" and word.raw == "in":
            self.close("in")
            self.pattern = True
        elif self.words and self.words[0].raw == "function" and word.raw == "{":
            self.braces.append(self.words[-1].raw)
            self.words.clear()
        elif self.words or not self._reserved(word):
            self.words.append(word)

    def _reserved(self, word: Word) -> bool:
        """Take a reserved word; returns whether it is used up and begins no command."""
        raw = word.raw
        if raw in _PREFIXES:
            self.role = raw if raw not in {"!", "time"} else self.role
            self.negated = self.negated or raw == "!"
        elif raw == "if":
            self.branches += 1
            self.role = raw
        elif raw in {"while", "until"}:
            self.opened = self.role = raw
        elif raw == "do":
            self.loops.append(self.opened or "for")
            self.opened, self.role = "", raw
        elif raw == "{":
            self.braces.append(self.defining)
            self.defining = ""
        else:
            self._opens_or_closes(raw)
            return False
        return True

    def _opens_or_closes(self, raw: str) -> None:
        if raw in {"for", "select"}:
            self.opened = "for"
        elif raw == "case":
            self.branches += 1
        elif raw == "done" and self.loops:
            self.loops.pop()
        elif raw in {"fi", "esac"} and self.branches:
            self.branches -= 1
        elif raw == "}" and self.braces:
            self.braces.pop()

    def _command(self, operator: str) -> Command:
        words, assigns = _split(self.words)
        condition = (self.opened,) if self.opened in {"while", "until"} else ()
        return Command(
            words=words,
            assigns=assigns,
            redirects=tuple(self.redirects),
            line=self.words[0].line if self.words else self.redirects[0].target.line,
            before=self.before,
            after=operator,
            role=self.role,
            loops=(*self.loops, *condition),
            condition=bool(condition),
            negated=self.negated,
            branches=self.branches,
            groups=len(self.braces) + self.parens,
            function=any(self.braces),
            holder=next(filter(None, reversed(self.braces)), ""),
        )


def _split(words: list[Word]) -> tuple[tuple[Word, ...], tuple[Assign, ...]]:
    """Part the assignments from the command: those before it, and those of ``export`` and its kin."""
    leading = 0
    while leading < len(words) and _ASSIGNMENT.match(words[leading].raw):
        leading += 1
    rest = words[leading:]
    assigns = [_assign(word, alone=not rest) for word in words[:leading]]
    if rest and rest[0].raw in _DECLARING:
        flags = [word.raw for word in rest[1:] if word.raw.startswith("-")]
        exported = rest[0].raw == "export" or any("x" in flag for flag in flags)
        assigns += [_assign(word, exported=exported) for word in rest[1:] if _ASSIGNMENT.match(word.raw)]
    return tuple(rest), tuple(assigns)


def _assign(word: Word, *, exported: bool = False, alone: bool = True) -> Assign:
    match = _ASSIGNMENT.match(word.raw)
    name = match.group(1) if match else word.raw
    raw = word.raw[match.end() :] if match else ""
    value = replace(word, raw=raw, text=word.text.partition("=")[2])
    append = match is not None and match.group().endswith("+=")
    element = match is not None and match.group(2) is not None
    return Assign(name, value, word.line, exported=exported, alone=alone, append=append, element=element)
