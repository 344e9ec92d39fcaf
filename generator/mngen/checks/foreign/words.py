"""The parts of a shell text that rules look at: words, assignments, redirections, commands."""

from __future__ import annotations

from msgspec import Struct, field

_TO_FILE = frozenset({">", ">>", ">|", "&>", "&>>"})
_LOG = ("/dev/std", "/dev/fd/", "/dev/tty", "/proc/self/fd/", ">(")


class Word(Struct, frozen=True):
    """One word. ``raw`` is as written, ``text`` without its quotes; expansions stay as written in both."""

    raw: str
    text: str
    line: int
    bare: bool = False
    """An expansion in it stands outside quotes."""
    parts: int = 0
    """How many double-quoted parts it has: more than one may be a quote that ended too early."""
    items: tuple[Word, ...] | None = None
    """The elements, when the word assigns an array: ``x=(a b)``."""
    inner: tuple[Command, ...] = ()
    """The commands of its command substitutions."""


class Assign(Struct, frozen=True):
    """``name=value``; ``exported`` when ``export`` or ``declare -x`` stands before it."""

    name: str
    value: Word
    line: int
    exported: bool = False
    alone: bool = True
    """False for an assignment in front of a command, which holds for that command only."""
    append: bool = False
    """Whether ``+=`` adds to what the variable holds."""
    element: bool = False
    """Whether it sets one element: ``name[index]=value``."""


class Redirect(Struct, frozen=True):
    """``> target`` and the like; ``body`` is the text of a here-document."""

    operator: str
    target: Word
    body: str | None = None
    body_line: int = 0
    """The line on which that text begins."""
    number: str = ""
    """The file descriptor that stands in front of it: ``2`` in ``2> errors``."""

    @property
    def expanded(self) -> bool:
        """Tell whether it is a here-document in which the shell expands: its end word has no quotes."""
        return self.body is not None and set("\"'\\").isdisjoint(self.target.raw)

    @property
    def takes_output(self) -> bool:
        """Tell whether it sends a program's output to a file, and not to the log, which is ``/dev/stderr`` too."""
        to_file = self.operator in _TO_FILE and self.number in {"", "1"}
        return to_file and not self.target.text.startswith(_LOG)


class Command(Struct, frozen=True, kw_only=True):
    """One simple command in its surroundings.

    ``before`` and ``after`` are the operators around it (``|``, ``&&``, ``||``, ``;``, ``&``, a newline);
    ``role`` is the reserved word that it follows (``if``, ``while``, ``do`` …).
    """

    words: tuple[Word, ...] = ()
    assigns: tuple[Assign, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    line: int = 1
    before: str = ""
    after: str = ""
    role: str = ""
    loops: tuple[str, ...] = ()
    """The loops around it, outermost first: ``while``, ``until``, ``for``."""
    condition: bool = False
    """Whether it stands between ``while`` or ``until`` and ``do``."""
    negated: bool = False
    """Whether ``!`` stands in front of it."""
    branches: int = 0
    """How many ``if`` and ``case`` are around it."""
    groups: int = 0
    """How many ``{`` and ``(`` are around it."""
    function: bool = False
    holder: str = ""
    """The function in whose body it stands, what the body's substitutions and inner scripts hold included."""
    origin: str = ""
    """``""``, or where the text stands: ``substitution``, ``string`` (``bash -c``), ``heredoc``."""

    outer: tuple[str, ...] = ()
    """The programs that run it, when its text is an inner script: ``srun`` in ``srun bash -c …``."""

    @property
    def name(self) -> str:
        """The program's base name, or an empty text for a lone assignment."""
        return self.words[0].text.rsplit("/", 1)[-1] if self.words else ""

    @property
    def depth(self) -> int:
        """In how many loops, branches and groups it stands; the word that closes one stands outside it."""
        return len(self.loops) + self.branches + self.groups

    @property
    def silent(self) -> bool:
        """Tell whether its output goes to a file."""
        return any(redirect.takes_output for redirect in self.redirects)

    @property
    def args(self) -> tuple[str, ...]:
        """The texts of the words after the name."""
        return tuple(word.text for word in self.words[1:])


class Token(Struct):
    """What the scanner yields: a word, or an operator when ``word`` is ``None``."""

    operator: str = ""
    line: int = 1
    word: Word | None = None
    bodies: list[str] = field(default_factory=list)
    """For a redirection ``<<``: the text of the here-document, filled in at the line's end."""
    body_line: int = 0
