"""Whether a script may start a driver, or only Ray and what it takes to start it."""

from __future__ import annotations

import re

from mngen.checks.foreign.calls import Call, inline_script, reads_input, remote_word
from mngen.checks.foreign.expansion import plain_name
from mngen.checks.foreign.interpreters import is_python
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.shells import SHELLS

_NAMES = """
[ [[ test : . true false break continue return exit shift set unset export declare typeset local readonly read mapfile
readarray trap wait kill jobs ulimit umask cd pushd popd pwd shopt getopts hash type alias disown bg fg let for select
case while until if then else elif fi do done esac { } ( ) in function ! echo printf cat tee sleep date seq sort uniq
head tail tr cut sed awk grep egrep wc basename dirname realpath readlink mktemp mkdir rmdir rm mv cp ln ls stat du df
touch chmod chown tar gzip unzip rsync hostname getent ip ifconfig ss netstat nc ping dig host nslookup curl wget whoami
id uname nproc free lscpu ps pgrep pkill killall lsof fuser printenv which logger sync jq md5sum sha256sum column
nvidia-smi rocm-smi amd-smi nvidia-ctk ibstat ibv_devinfo ibdev2netdev lsmod modprobe sysctl module ml conda mamba
micromamba pip pip3 apt-get apt git huggingface-cli hf uv scontrol squeue sinfo sacct scancel
"""
_TOOLS = frozenset(_NAMES.split())
"""What is no driver, whatever its words: the shell's own, tools, what installs."""
_CONTAINER_STARTS = ("docker run", "docker exec", "podman run", "podman exec", "docker", "podman")
_RAY_DRIVERS = ("ray job submit", "ray symmetric-run")
_DRIVING = re.compile(r"\b(?:ray|vllm|sglang|torch|train\w*|main|run\w*|exec)\b|\$")
"""What a text for Python has that may be a driver, or start one."""
_HELPER_MODULES = ("pip", "venv", "json.tool", "http.server")


def may_drive(script: Script) -> bool:
    """Tell whether a script starts anything that may be a driver; what is not known may be one."""
    innermost: dict[int, Call] = {}
    for call in script.calls:
        innermost[id(call.command)] = call
    own = {command.holder for command in script.commands}
    return any(call.program not in own and _may_be_driver(call, script) for call in innermost.values())


def starts_driver(script: Script) -> bool:
    """Tell whether a script starts a program of Python or a job of Ray, which drives for sure; a server does not."""
    return any(
        call.program in _RAY_DRIVERS or (is_python(call.program) and _may_be_python_driver(call))
        for call in script.calls
    )


def _may_be_driver(call: Call, script: Script) -> bool:
    program = call.program
    first = program.split()[0]
    if program in _TOOLS or first in _TOOLS or (first == "ray" and program not in _RAY_DRIVERS):
        return program == "." and bool(script.settings_file(call.line + 1))
    if program == "source":
        return bool(script.settings_file(call.line + 1))
    if first in {"docker", "podman"}:
        return program in _CONTAINER_STARTS
    if program in SHELLS or remote_word(call) is not None or program == "ssh":
        return _may_drive_inside(call, script)
    if is_python(program):
        return _may_be_python_driver(call)
    # `eval "$(conda shell.bash hook)"` evaluates what a program prints, most often settings.
    return not program.startswith("((") and not (program.startswith(("$(", "`")) and call.outer[-1:] == ("eval",))


def _may_drive_inside(call: Call, script: Script) -> bool:
    """Tell whether a shell is given a script that cannot be read here; what can be has commands of its own."""
    text = inline_script(call) or remote_word(call)
    if text is None:
        given = any(redirect.body is not None for redirect in call.command.redirects)
        return not (given and reads_input(call)) and call.command.before != "|"
    name = plain_name(text.text)
    return (bool(name) or text.text.startswith(("$@", "$*", "${"))) and name not in {a.name for a in script.assigns}


def _may_be_python_driver(call: Call) -> bool:
    texts = call.texts
    if texts[:1] == ("-m",):
        return texts[1:2] == () or texts[1] not in _HELPER_MODULES
    if texts[:1] == ("-c",):
        return bool(_DRIVING.search(" ".join(texts[1:])))
    if texts[:1] in {(), ("-",)}:
        bodies = [redirect.body for redirect in call.command.redirects if redirect.body is not None]
        return not bodies or any(_DRIVING.search(body) for body in bodies)
    return texts[0] not in {"-V", "--version"}
