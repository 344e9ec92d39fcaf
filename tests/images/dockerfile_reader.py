"""Reads a Dockerfile by the rules of BuildKit's parser and word lexer."""

from __future__ import annotations

import json
import re

from built_image import Stage, run
from shell_reader import ShellReader

HERE = re.compile(r"(?:^|\s)(\d*)<<'(\w+)'(?=\s|$)")


def instructions(text: str):
    """Yield (name, arguments, here-documents) of each instruction."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index].lstrip()
        index += 1
        if not line or line.startswith("#"):
            continue
        while match := re.search(r"\\[ \t]*$", line):
            while lines[index].lstrip().startswith("#"):
                index += 1
            line = line[: match.start()] + "\0" + lines[index]
            index += 1
        name, _, rest = line.partition(" ")
        documents = []
        if name in {"RUN", "COPY"}:
            for match in HERE.finditer(outside_quotes(rest)):
                body = []
                while lines[index] != match[2]:
                    body.append(lines[index] + "\n")
                    index += 1
                index += 1
                documents.append("".join(body))
        yield name, rest, documents


def outside_quotes(text: str) -> str:
    """Blank out what stands in plain quotes, as BuildKit's lexer sees them, but for quoted delimiters."""
    return re.sub(
        r"(?<![^\s\d])<<'\w+'|'[^']*'|\"(?:\\.|[^\"\\])*\"",
        lambda match: match[0] if match[0].startswith("<<") else "x" * len(match[0]),
        text,
    )


def without_delimiters(text: str) -> str:
    """Cut ``3<<'NAME'`` out of a command."""
    for match in reversed(list(HERE.finditer(outside_quotes(text)))):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return text


def value(word: str, env: dict[str, str]) -> str:
    """Evaluate one word of ENV, ARG or LABEL (``frontend/dockerfile/shell/lex.go``)."""
    out, pos = [], 0
    quoted = False
    while pos < len(word):
        char = word[pos]
        if char == '"':
            quoted = not quoted
            pos += 1
        elif char == "'" and not quoted:
            end = word.index("'", pos + 1)
            out.append(word[pos + 1 : end])
            pos = end + 1
        elif char == "\\":
            following = word[pos + 1]
            out.append(following if not quoted or following in '"$\\' else char + following)
            pos += 2
        elif char == "$":
            match = re.match(r"\$\{(\w+):\+:\$\1\}", word[pos:])
            assert match, f"expansion in {word!r}"
            out.append(f":{env[match[1]]}" if env.get(match[1]) else "")
            pos += match.end()
        else:
            out.append(char)
            pos += 1
    assert not quoted
    return "".join(out)


def read(text: str, base_env: dict[str, str], builder: str = "buildkit") -> list[Stage]:
    """Return the stages of a Dockerfile.

    BuildKit sets ARG and ENV in the order of their lines, those of the base first (``dispatchArg`` in
    ``frontend/dockerfile/dockerfile2llb/convert.go``). Podman (``Step`` in ``builder.go`` of
    https://github.com/openshift/imagebuilder) and the classic builder (``FilterAllowed`` in
    ``daemon/builder/dockerfile/buildargs.go`` of https://github.com/moby/moby) let any ENV win over ARG.
    """
    stages: list[Stage] = []
    account = False
    for name, raw, documents in instructions(text):
        rest = raw.replace("\0", "\\\n")
        stage = stages[-1] if stages else None
        if name == "FROM":
            base, _, alias = rest.partition(" AS ")
            stages.append(Stage(name=alias, base=base, env=dict(base_env), shipped=dict(base_env)))
            account = False
        elif name in {"ENV", "ARG", "LABEL"}:
            key, _, word = raw.partition("=")
            found = value(word, stage.env)
            if name == "LABEL":
                stage.labels[key] = found
            elif name == "ARG" and builder != "buildkit" and key in stage.shipped:
                continue
            elif not account:
                stage.env[key] = found
                if name == "ENV":
                    stage.shipped[key] = found
        elif name == "WORKDIR":
            stage.cwd = rest
        elif name == "USER":
            stage.user = rest
        elif name == "COPY":
            _copy(stage, rest, documents)
        elif name == "RUN" and re.search(r"^if id -un|&& chgrp", rest):
            account = True
        elif name == "RUN":
            _run(stage, rest, documents, tests=account or stage.user != "")
        elif name in {"ENTRYPOINT", "CMD"}:
            stage.start += f"{name}{json.loads(rest)}"
        else:
            assert name == "SHELL", name
    return stages


def _copy(stage: Stage, rest: str, documents: list[str]) -> None:
    words = rest.split(" ")
    options = dict(word.removeprefix("--").split("=") for word in words if word.startswith("--"))
    source, target = [word for word in words if not word.startswith("--")]
    if documents:
        stage.act("write", target, documents[0])
    else:
        folder = source.endswith("/")
        stage.act(
            "copy", options.get("from", ""), source.rstrip("/"), folder, target.rstrip("/"), options.get("chmod", "")
        )


def _run(stage: Stage, rest: str, documents: list[str], *, tests: bool) -> None:
    while match := re.match(r"--mount=(\S+)\s*(?:\\\n\s*)?", rest):
        options = dict(part.split("=") for part in match[1].split(","))
        if options["type"] == "secret":
            stage.secrets.add(" at ".join(options[key] for key in ("id", "target") if key in options))
        rest = rest[match.end() :]
    waiting = iter(documents)
    outside, stage.env = stage.env, dict(stage.env)
    for command in ShellReader(without_delimiters(rest), stage.env):
        if documents and command.words[0] == "bash":
            command.documents[3] = next(waiting)
        if command.words[0] == "chmod" and stage.actions[-1][0] == "copy":
            *copy, _, cwd, env = stage.actions.pop()
            stage.actions.append((*copy, command.words[1], cwd, env))
        elif command.words[0] == "export":
            stage.env |= dict(word.split("=", 1) for word in command.words[1:])
        elif tests:
            stage.tests.append((command.documents.get(3) or command.words[4]).rstrip("\n"))
        else:
            run(stage, command)
    stage.env = outside
