"""Reads a definition file by the rules of Apptainer's parser."""

from __future__ import annotations

import re

from built_image import Stage, run
from shell_reader import ShellReader

SECTIONS = {
    "help",
    "setup",
    "files",
    "labels",
    "environment",
    "pre",
    "post",
    "runscript",
    "test",
    "startscript",
    "arguments",
}
HEADERS = {"bootstrap", "from", "stage"}


def definitions(text: str):
    """Yield (header, sections) of each stage; a section is (name, arguments, body)."""
    for line in text.split("\n"):
        assert line.lstrip().startswith("#") or not re.search(r"\{\{\s*\w+\s*\}\}", line), f"build argument in {line!r}"
    parts = re.split(r"(?mi)^(?=bootstrap:)", text)
    assert all(not line or line.startswith("#") for line in parts[0].split("\n")), "text before the first stage"
    for part in parts[1:]:
        header, sections = {}, []
        for line in part.split("\n"):
            if re.match(r"\s*%", line):
                name, _, arguments = line.strip().lstrip("%").partition(" ")
                assert name in SECTIONS, f"unknown section {name}"
                sections.append([name, arguments, ""])
            elif sections:
                sections[-1][2] += line + "\n"
            elif line.strip() and not line.strip().startswith("#"):
                key, colon, found = line.partition(":")
                assert colon and key.lower() in HEADERS, f"invalid header {line!r}"
                header[key.lower()] = found.strip()
        yield header, sections


def read(text: str, base_env: dict[str, str]) -> list[Stage]:
    """Return the stages of a definition file."""
    stages = []
    for header, sections in definitions(text):
        assert header["bootstrap"] == "docker"
        stage = Stage(header.get("stage", ""), header["from"], env=dict(base_env), shipped=dict(base_env))
        staged: dict[str, tuple[str, str]] = {}
        for name, arguments, body in sections:
            if name == "files":
                origin = arguments.removeprefix("from ")
                for line in filter(None, map(str.strip, body.split("\n"))):
                    source, place = line.split()
                    staged[place] = (origin, source)
        mounted: set[str] = set()
        for name, arguments, body in sections:
            if name == "post":
                assert arguments == "-c /bin/bash"
                _post(stage, body, staged)
            elif name == "environment":
                for command in ShellReader(body, stage.shipped):
                    _export(stage.shipped, command)
            elif name == "test":
                stage.tests = [
                    (command.documents.get(3) or command.words[4]).rstrip("\n")
                    for command in ShellReader(body, {})
                    if command.words[0] == "bash"
                ]
            elif name == "runscript":
                stage.cwd = re.match(r"\s*cd (\S+) \|\| exit\n", body)[1]
                default = re.search(r"set -- (\S+); fi\n    exec \"\$@\"\n", body)[1]
                stage.start = f"ENTRYPOINT[]CMD['{default}']"
            elif name == "setup":
                mounted = set(re.findall(r"/run/secrets/([^\"]+)\"", body))
        assert {name.partition(" ")[0] for name in stage.secrets} <= mounted
        stages.append(stage)
    return stages


def _export(env: dict[str, str], command) -> None:
    assert command.words[0] == "export", command.words
    name, _, found = command.words[1].partition("=")
    env[name] = found


def _post(stage: Stage, body: str, staged: dict[str, tuple[str, str]]) -> None:
    labels = False
    body, functions = re.subn(r"(?ms)^    copy\(\) \{$.*?^    \}$", "", body)
    for command in ShellReader(body, stage.env):
        words = command.words
        if words == ["umask", "022"] or words == ["export", "HOME=/root"]:
            continue  # the first is Docker's own; the second a container engine takes from /etc/passwd
        if words[:2] in (["ln", "-sfn"], ["rm", "-f"]):
            *_, source, place = ["ln", *words] if words[0] == "rm" else words
            if words[0] == "ln":
                stage.secrets.add(f"{source.removeprefix('/run/secrets/')} at {place}")
            continue
        if words[0] == "set":
            assert words == ["set", "-euo", "pipefail"]
        elif words[0] in {"{", "}"}:
            labels = words[0] == "{" and not labels
        elif words[0] == "[[":
            assert words[:2] == ["[[", "-s"]
            stage.secrets.add(words[2].removeprefix("/run/secrets/"))
        elif words[0] in {"echo", "exit"} and command.follows in {"||", ";"}:
            continue
        elif labels:
            assert words[:2] == ["printf", "%s %s\\n"]
            stage.labels[words[2]] = words[3]
        elif words[0] == "export":
            _export(stage.env, command)
        elif words[0] == "cd":
            stage.cwd = words[1]
        elif words[0] == "cat":
            stage.act("write", command.output, command.documents[0])
        elif words[0] == "install":
            origin, source = staged[words[4]]
            stage.act("copy", origin, source, False, words[5], words[3])
        elif words[0] == "copy":
            assert functions == 1
            origin, source = staged[words[1]]
            stage.act("copy", origin, source, False, words[2].rstrip("/"), "")
        elif words[0] == "cp":
            place = words[2].removesuffix("/.")
            origin, source = staged[place]
            stage.act("copy", origin, source, place != words[2], words[3].rstrip("/"), "")
        elif words == ["rm", "-rf", "/.mngen"]:
            continue
        else:
            run(stage, command)
