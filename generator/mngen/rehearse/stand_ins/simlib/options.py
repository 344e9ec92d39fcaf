"""Strict option tables: a program's options are written as words, anything else is refused."""

from typing import NamedTuple


class RefusedError(Exception):
    """An option or value that the real program would refuse; `status` is its exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status


class Parsed(NamedTuple):
    """Options by long name (each a list of its values) and the words after them."""

    options: dict[str, list[str]]
    words: list[str]

    def last(self, name: str, default: str | None = None) -> str | None:
        """The value that counts: of several equal options the last."""
        return self.options[name][-1] if name in self.options else default

    def has(self, name: str) -> bool:
        """Whether the option was given."""
        return name in self.options

    def whole(self, name: str) -> int | None:
        """The whole number that counts, where the option was given; Slurm takes none below 1 but for `--wait`."""
        value = self.last(name)
        if value is None:
            return None
        if not value.isdecimal() or (int(value) == 0 and name != "wait"):
            raise RefusedError(f'Invalid numeric value "{value}" for --{name}.')
        return int(value)


class Table:
    """Options of one program.

    The text has one option a word: `name` is a switch, `name=` takes a value, `name?` may take one after `=`
    only, `n/name…` has the short form `-n`. Where several long names mean the same, `a|b=` makes `a` of both.
    """

    def __init__(self, program: str, text: str, *, posix: bool = True) -> None:
        self.program = program
        self.posix = posix
        self.long: dict[str, tuple[str, str]] = {}
        self.short: dict[str, tuple[str, str]] = {}
        for word in text.split():
            kind = word[-1] if word[-1] in "=?" else ""
            names = word[: len(word) - len(kind)]
            short, _, rest = names.rpartition("/")
            longs = rest.split("|")
            for name in longs:
                self.long[name] = (longs[0], kind)
            for letter in short:
                self.short[letter] = (longs[0], kind)

    def parse(self, argv: list[str]) -> Parsed:
        """Split a command line; options end at the first other word (`posix`) or at `--`."""
        options: dict[str, list[str]] = {}
        words: list[str] = []
        rest = list(argv)
        while rest:
            word = rest.pop(0)
            if word == "--":
                return Parsed(options, words + rest)
            if word.startswith("--"):
                self._long(word[2:], rest, options)
            elif word.startswith("-") and len(word) > 1:
                self._short(word[1:], rest, options)
            else:
                words.append(word)
                if self.posix:
                    return Parsed(options, words + rest)
        return Parsed(options, words)

    def _long(self, text: str, rest: list[str], options: dict[str, list[str]]) -> None:
        name, equals, value = text.partition("=")
        if name not in self.long:
            raise RefusedError(f"{self.program}: unrecognized option '--{name}'", 2)
        target, kind = self.long[name]
        if equals and not kind:
            raise RefusedError(f"{self.program}: option '--{name}' doesn't allow an argument", 2)
        if not equals and kind == "=":
            if not rest:
                raise RefusedError(f"{self.program}: option '--{name}' requires an argument", 2)
            value = rest.pop(0)
        options.setdefault(target, []).append(value)

    def _short(self, text: str, rest: list[str], options: dict[str, list[str]]) -> None:
        while text:
            letter, text = text[0], text[1:]
            if letter not in self.short:
                raise RefusedError(f"{self.program}: invalid option -- '{letter}'", 2)
            target, kind = self.short[letter]
            value = ""
            if kind:
                value, text = text, ""
                if not value and kind == "=":
                    if not rest:
                        raise RefusedError(f"{self.program}: option requires an argument -- '{letter}'", 2)
                    value = rest.pop(0)
            options.setdefault(target, []).append(value)
