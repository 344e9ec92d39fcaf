"""Whether anything in a script may start Ray on the other nodes: a call of Ray, or what cannot be looked into."""

from __future__ import annotations

import re

from mngen.checks.foreign.calls import Call, inline_script, reads_input, remote_word
from mngen.checks.foreign.commands import parse
from mngen.checks.foreign.interpreters import is_python
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.shells import SHELLS

REMOTE = ("srun", "ssh", "pdsh", "clush", "mpirun", "mpiexec")
"""Programs that start others on several nodes."""

_SPOKEN = re.compile(r"^[ \t]*(?:#|echo\b|printf\b).*$", re.MULTILINE)
_STARTS = re.compile(r"\bray[\s\"',]+start\b((?:\\\n|[^\n;|&])*)")
_SCRIPT_FILE = re.compile(r"\.(?:sh|bash|sbatch|slurm)$")
_CLUSTERS = frozenset({"up", "create-or-update", "symmetric-run", "attach", "exec", "submit"})
"""Subcommands of Ray that start a cluster, or run a command on one."""
_UNREAD_NAMES = """
sbatch xargs parallel pssh parallel-ssh dsh aprun jsrun flux make just tmux screen kubectl helm ansible ansible-playbook
"""
_UNREAD = frozenset(_UNREAD_NAMES.split())
"""What starts programs, perhaps elsewhere, that are not looked for."""
_TELLING = re.compile(r"worker|cluster|launch|join|start|node", re.IGNORECASE)
"""What the name of a program or module has that starts workers."""
_TOOL_NAMES = """
hostname echo printf nvidia-smi rocm-smi mkdir rm cp mv rsync tar ls cat cut tr awk sed grep head tail date sleep
true false test [ [[ : cd export set ulimit trap wait exit return break continue if then else elif fi for while
until do done case esac { } ( ) ! ip getent id whoami chmod module ml conda pkill kill killall df du free uname
timeout touch pip pip3 uv read shift local readonly declare unset source . curl wget nproc
"""
TOOLS = frozenset(_TOOL_NAMES.split())
"""What starts no worker, on whatever node."""
_FIRST = re.compile(r"head|master|first|\[0\]|NODENAME|hostname", re.IGNORECASE)
"""What a word has that names the first node."""
_RAY_TOOLS = ("ray start", "ray", "ray job submit")


def may_start_workers(script: Script, known: frozenset[int] = frozenset()) -> bool:
    """Tell whether a script may start Ray on a node that is to join a head, itself or by what it calls.

    ``known`` are the ids of commands behind a head on each node, where Python runs what uses it.
    """
    text = _SPOKEN.sub("", script.text)
    if any("--head" not in match.group(1) for match in _STARTS.finditer(text)):
        return True
    if any(not call.options.has("--head") for call in script.called("ray start")):
        return True
    if script.settings_file(script.commands[-1].line + 1 if script.commands else 1):
        return True
    innermost: dict[int, Call] = {}
    for call in script.calls:
        innermost[id(call.command)] = call
        clusters = call.program == "ray symmetric-run" or (call.program == "ray" and _CLUSTERS & set(call.texts[:1]))
        if clusters or call.program.startswith(("$", "`", "<(")):
            return True
    steps = {id(call.command): call for call in script.called("srun")}
    heads = {
        step.options.value("--nodelist") for number, step in steps.items() if innermost[number].program == "ray start"
    }
    own = {command.holder for command in script.commands}
    return any(
        _may_start(call, remote=number not in known and _is_remote(call, steps.get(number), heads))
        for number, call in innermost.items()
        if call.program not in own
    )


def runs_tools(call: Call) -> bool:
    """Tell whether what ``ssh``, ``srun`` and their like are given as one text is nothing but tools, and Ray's own."""
    word = remote_word(call)
    texts = [redirect.body or "" for redirect in call.command.redirects] if word is None else [word.text]
    commands = [command for text in texts for command in parse(text)]
    return bool(commands) and all(command.name in TOOLS or command.name == "ray" for command in commands)


def _may_start(call: Call, *, remote: bool) -> bool:
    program = call.program
    words = call.command.words
    if program in TOOLS or program in _RAY_TOOLS:
        return False
    if program in SHELLS:
        return not (inline_script(call) or (reads_input(call) and any(item.body for item in call.command.redirects)))
    if program in REMOTE:
        return not runs_tools(call)
    if program in _UNREAD or (words and (_SCRIPT_FILE.search(words[0].text) or words[0].text.startswith("$"))):
        return True
    if remote:
        return not program.startswith("docker ") or program in {"docker run", "docker exec", "docker compose"}
    named = call.texts[1:2] if call.texts[:1] == ("-m",) else call.texts[:1]
    name = "".join(named) if is_python(program) else "/".join((words[0].text if words else "", program))
    return _TELLING.search(name) is not None


def _is_remote(call: Call, step: Call | None, heads: set[str | None]) -> bool:
    """Tell whether a call may run on other nodes: not in a step of one task where the head is, outside of loops."""
    if step is None or "1" not in {step.options.value("--ntasks"), step.options.value("--nodes")}:
        return call.under(*REMOTE)
    node = step.options.value("--nodelist")
    return bool(call.command.loops) or not (node is None or node in heads or _FIRST.search(node))
