"""Where a shell's own words say that its script is: in a word, on its standard input, or in a file."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mngen.checks.foreign.words import Word

SHELLS = frozenset({"bash", "sh", "dash", "zsh"})
_LONG_WITH_VALUE = frozenset({"--rcfile", "--init-file"})


class ShellWords(Struct, frozen=True):
    """The words of ``bash`` and its like, of which one at most has a value.

    ``text`` is the script of ``-c``; ``file`` the one to run; without either it comes on standard input, as it does
    with ``-s`` (bash(1), OPTIONS).
    """

    text: Word | None = None
    file: Word | None = None

    @property
    def reads_input(self) -> bool:
        """Whether the script comes on standard input."""
        return self.text is None and self.file is None


def shell_words(words: Sequence[Word]) -> ShellWords:
    """Return what the words after a shell's name say."""
    letters, place = "", 0
    while place < len(words) and words[place].text[:1] in {"-", "+"}:
        text = words[place].text
        place += 1
        if text in {"-", "--"}:
            break
        if text.startswith("--"):
            place += text in _LONG_WITH_VALUE
            continue
        # The name of an option comes as a word of its own, however many letters stand beside "o".
        place += text.count("o") + text.count("O")
        letters += text[1:] if text.startswith("-") else ""
    first = words[place] if place < len(words) else None
    if "c" in letters:
        return ShellWords(text=first)
    return ShellWords(file=None if "s" in letters else first)
