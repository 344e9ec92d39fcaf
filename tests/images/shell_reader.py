"""Reads the few shell constructs that image files use, word by word and byte by byte.

Written from bash(1) alone, not from the generator: quotes of all three kinds, ``$NAME``, ``${NAME}``,
``${NAME:+:$NAME}``, quoted here-documents, and ``$(printf '%s\\n' …)``. Anything else is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}


@dataclass
class Command:
    words: list[str] = field(default_factory=list)
    assignments: dict[str, str] = field(default_factory=dict)
    output: str = ""
    append: bool = False
    documents: dict[int, str] = field(default_factory=dict)
    follows: str = ""


class ShellReader:
    """Yields one command at a time, with expansions made from ``env`` as it is at that moment."""

    def __init__(self, text: str, env: dict[str, str]) -> None:
        self.text, self.env, self.pos = text, env, 0
        self.waiting: list[tuple[Command, int, str]] = []

    def __iter__(self):
        follows = "\n"
        while self.pos < len(self.text):
            command = Command(follows=follows)
            follows = self.command(command)
            if command.words or command.assignments:
                yield command

    def command(self, command: Command) -> str:
        """Fill one command and return the operator that ends it."""
        while self.pos < len(self.text):
            rest = self.text[self.pos :]
            if rest.startswith("\\\n"):
                self.pos += 2
            elif rest[0] in " \t":
                self.pos += 1
            elif rest[0] == "#":
                self.pos += len(re.match(r"[^\n]*", rest)[0])
            elif rest.startswith(("&&", "||")):
                self.pos += 2
                return rest[:2]
            elif rest[0] in "\n;":
                self.pos += 1
                if rest[0] == "\n":
                    self.here_documents()
                return rest[0]
            elif match := re.match(r"(\d*)<<'(\w+)'", rest):
                self.pos += match.end()
                self.waiting.append((command, int(match[1] or 0), match[2]))
            elif rest.startswith(">&2"):
                self.pos += 3
            elif match := re.match(r">>?", rest):
                self.pos += match.end()
                self.blanks()
                command.append, command.output = match[0] == ">>", self.word()
            elif (match := re.match(r"([A-Za-z_]\w*)=", rest)) and not command.words:
                self.pos += match.end()
                command.assignments[match[1]] = self.word()
            else:
                start = self.pos
                command.words.append(self.word())
                assert self.pos > start, f"unknown operator in {rest[:40]!r}"
        self.here_documents()
        return ""

    def blanks(self) -> None:
        self.pos += len(re.match(r"[ \t]*", self.text[self.pos :])[0])

    def here_documents(self) -> None:
        for command, descriptor, name in self.waiting:
            lines = []
            while True:
                line, newline, _ = self.text[self.pos :].partition("\n")
                assert newline or line == name, f"here-document {name} does not end"
                self.pos += len(line) + len(newline)
                if line == name:
                    break
                lines.append(line + "\n")
            command.documents[descriptor] = "".join(lines)
        self.waiting = []

    def word(self) -> str:
        out = []
        while self.pos < len(self.text):
            char = self.text[self.pos]
            if char in " \t\n;&|>" or self.text.startswith("\\\n", self.pos):
                break
            if char == "'":
                end = self.text.index("'", self.pos + 1)
                out.append(self.text[self.pos + 1 : end])
                self.pos = end + 1
            elif char == '"':
                self.pos += 1
                out.append(self.double())
            elif self.text.startswith("$'", self.pos):
                self.pos += 2
                out.append(self.ansi())
            elif char == "\\":
                out.append(self.text[self.pos + 1])
                self.pos += 2
            elif char == "$":
                out.append(self.dollar())
            elif not out and self.text.startswith("[[ ", self.pos):
                out.append("[[")
                self.pos += 2
            elif char in "`(<*?[" and "".join(out) != "/var/lib/apt/lists/":
                raise AssertionError(f"unquoted {char!r} in {self.text[self.pos : self.pos + 40]!r}")
            else:
                out.append(char)
                self.pos += 1
        return "".join(out)

    def double(self) -> str:
        out = []
        while (char := self.text[self.pos]) != '"':
            if char == "\\" and self.text[self.pos + 1] in '"$`\\':
                out.append(self.text[self.pos + 1])
                self.pos += 2
            elif char == "$":
                out.append(self.dollar())
            else:
                assert char != "`", "a command substitution"
                out.append(char)
                self.pos += 1
        self.pos += 1
        return "".join(out)

    def ansi(self) -> str:
        out = []
        while (char := self.text[self.pos]) != "'":
            if char != "\\":
                out.append(char)
                self.pos += 1
            elif self.text[self.pos + 1] == "x":
                out.append(chr(int(self.text[self.pos + 2 : self.pos + 4], 16)))
                self.pos += 4
            else:
                out.append(ESCAPES[self.text[self.pos + 1]])
                self.pos += 2
        self.pos += 1
        return "".join(out)

    def dollar(self) -> str:
        rest = self.text[self.pos :]
        if rest.startswith("$("):
            return self.substitution()
        if match := re.match(r"\$\{(\w+):\+:\$\1\}", rest):
            self.pos += match.end()
            return f":{self.env[match[1]]}" if self.env.get(match[1]) else ""
        if match := re.match(r"\$\{(\w+):-\$\{(\w+)\}\}", rest):
            self.pos += match.end()
            return f"<{match[1]} or {match[2]}>"
        if match := re.match(r"\$(\w+)|\$\{(\w+)\}|\$[@#]", rest):
            self.pos += match.end()
            return self.env.get(match[1] or match[2] or "", match[0])
        raise AssertionError(f"unknown expansion {rest[:30]!r}")

    def substitution(self) -> str:
        """Evaluate ``$(printf '%s\\n' WORD…)``, the only one that image files use."""
        self.pos += 2
        words = []
        while self.text[self.pos] != ")":
            if self.text[self.pos] in " \t" or self.text.startswith("\\\n", self.pos):
                self.pos += 2 if self.text[self.pos] == "\\" else 1
                continue
            start = self.pos
            words.append(self.word_before_bracket())
            assert self.pos > start
        self.pos += 1
        assert words[:2] == ["printf", "%s\\n"], words[:2]
        return "".join(f"{word}\n" for word in words[2:]).rstrip("\n")

    def word_before_bracket(self) -> str:
        out = []
        while self.text[self.pos] not in ") \t\n" and not self.text.startswith("\\\n", self.pos):
            if self.text[self.pos] in "'\"":
                reader = ShellReader(self.text, self.env)
                reader.pos = self.pos
                quote = self.text[self.pos]
                if quote == "'":
                    end = self.text.index("'", self.pos + 1)
                    out.append(self.text[self.pos + 1 : end])
                    self.pos = end + 1
                else:
                    reader.pos += 1
                    out.append(reader.double())
                    self.pos = reader.pos
            else:
                out.append(self.text[self.pos])
                self.pos += 1
        return "".join(out)
