"""Shell syntax in fields that no shell reads."""

from __future__ import annotations

import re

from mngen.manifest.placeholders import CLUSTER_NAMES, NODE_NAMES, RENDER_NAMES
from mngen.manifest.text import Text

_VARIABLE = r"\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\})"
_ENVIRONMENT = r"\$(?:[A-Z_][A-Z0-9_]*\b|\{[A-Z_][A-Z0-9_]*\})"
_OF_RAY = r"(?a)\$(?:[A-Za-z_]\w*|\{\w+\})"
_HOME = r"(?:^|^[^=]*=)~/"
# Templates of text have names, targets and variants of their own.
_OWN = (*(name for name in RENDER_NAMES if name not in {"name", "target", "variant"}), *NODE_NAMES, *CLUSTER_NAMES)
_NAMES = "|".join(_OWN)
_ALMOST = (
    rf"(?<!\$)\{{\{{ *(?:{_NAMES}|(?:vars|env)\.\w+) *\}}\}}"
    rf"|\$(?:{_NAMES}|vars\.\w+)\b|\$\{{ *(?:{_NAMES}|vars\.\w+) *\}}"
    r"|(?:^|(?<==))\{\{ *[A-Za-z_]\w* *\}\}(?=/)"  # a folder, which templates of text do not begin with
)
_OUTPUT = r"(?s)\$\((?!\().+\)|`[^`]+`"
_WORKED_OUT = r"(?s)(?:[^$`\s]*=)?(?P<output>\$\(.+\)|`[^`]+`)"
_OPTION_AND_VALUE = r"(?P<option>--?[A-Za-z][\w.-]*) +(?P<value>[^\s-]\S*)"
_OVERRIDES = r"(?:[+~]{0,2}\w+(?:\.\w+)+=\S*(?: +|$)){2,}"  # a dotted key each: Hydra's, not a sentence
_COUNTED = {
    "nodes": ("SLURM_NNODES", "SLURM_JOB_NUM_NODES", "SKYPILOT_NUM_NODES", "DSTACK_NODES_NUM"),
    "gpus": ("SLURM_GPUS_ON_NODE", "SKYPILOT_NUM_GPUS_PER_NODE", "DSTACK_GPUS_PER_NODE"),
    "total_gpus": ("DSTACK_GPUS_NUM",),
    "node_rank": ("SLURM_NODEID", "SKYPILOT_NODE_RANK", "DSTACK_NODE_RANK"),
    "job_id": ("SLURM_JOB_ID", "SLURM_JOBID"),
}
# https://slurm.schedmd.com/sbatch.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES
# https://docs.skypilot.co/en/latest/running-jobs/environment-variables.html
# https://dstack.ai/docs/concepts/tasks/#distributed-tasks
_SCRIPTS = {
    "NODE_RANK": "node_rank",
    "JOB_ID": "job_id",
    "JOB_DIR": "job_dir",
    "ATTEMPT": "attempt",
    "HEAD_IP": "head_ip",
    "HEAD_ADDRESS": "head_address",
    "NODE_IP": "node_ip",
    "VLLM_HOST_IP": "node_ip",
    "RAY_ADDRESS": "head_address",
}
"""What the scripts find out themselves, after the node was asked for its variables."""
_MEANT = {**{variable: name for name, variables in _COUNTED.items() for variable in variables}, **_SCRIPTS}


def in_path(text: Text) -> str | None:
    """Return the variable or ``~`` that a path's author expected to be replaced, or ``None``."""
    first = text.parts[0] if text.parts else ""
    if isinstance(first, str) and (first == "~" or first.startswith("~/")):
        return "~"
    return _first(_VARIABLE, text) or almost(text)


def in_argument(text: Text) -> str | None:
    """Return a variable of the environment (in capitals) that an argument mentions, or a home's ``~``; or ``None``.

    ``~name`` stays: it is Hydra's word for leaving a key out (https://hydra.cc/docs/advanced/override_grammar/basic/).
    """
    first = text.parts[0] if text.parts else ""
    home = isinstance(first, str) and "~/" in first and re.search(_HOME, first)
    return "~" if home else _first(_ENVIRONMENT, text)


def option_and_value(text: Text) -> tuple[str, str] | None:
    """Return an option and its value that were written as one item: ``--lr 1e-5``; else ``None``."""
    whole = text.literal or ""
    match = re.fullmatch(_OPTION_AND_VALUE, whole) if whole.startswith("-") and " " in whole else None
    return (match["option"], match["value"]) if match else None


def overrides(text: Text) -> list[str]:
    """Return settings of Hydra's that were written as one item: ``a.b=1 c.d=2``; else an empty list."""
    whole = text.literal or ""
    return whole.split() if " " in whole and re.fullmatch(_OVERRIDES, whole) else []


def almost(text: Text) -> str | None:
    """Return what is a placeholder but for its form: ``{{ nodes }}``, ``$nodes``, ``${vars.data}``; or ``None``."""
    return _first(_ALMOST, text)


def at_start(text: Text) -> str | None:
    """Return the variable or ``~`` that a value begins with, as paths do, or ``None``."""
    first = text.parts[0] if text.parts else ""
    if not isinstance(first, str):
        return None
    if first == "~" or first.startswith("~/"):
        return "~"
    match = re.match(_VARIABLE, first) if first.startswith("$") else None
    return match.group() if match else None


def output_of(text: Text) -> str | None:
    """Return a value that is all a command's output, ``$(hostname)`` or in backticks, or ``None``."""
    whole = text.literal or ""
    match = re.fullmatch(_OUTPUT, whole) if whole.startswith(("$(", "`")) else None
    return match.group() if match else None


def output_in(text: Text) -> str | None:
    """Return what an argument's author expected a shell to work out, as a whole or behind ``=``; or ``None``."""
    whole = text.literal or ""
    match = re.fullmatch(_WORKED_OUT, whole) if "$(" in whole or "`" in whole else None
    return match["output"] if match else None


def filled_in_by_ray(value: str) -> str | None:
    r"""Return the first variable in a value of ``runtime_env.env_vars``, where Ray itself replaces them; or ``None``.

    It is os.path.expandvars, then re.sub(r"\$\{[A-Z0-9_]+\}", "", …): ``update_envs`` in Ray's
    python/ray/_private/utils.py.
    """
    match = re.search(_OF_RAY, value) if "$" in value else None
    return match.group() if match else None


def variable(found: str) -> str:
    """Return the name in what was found: ``HOME`` for ``$HOME``, ``${HOME}`` and ``~``."""
    return "HOME" if found == "~" else found.strip("${} ")


def instead(found: str) -> str:
    """Return the placeholder that says what was meant: ``${{ env.HOME }}`` for ``~``, ``${{ nodes }}`` for Slurm's."""
    name = variable(found)
    name = _MEANT.get(name, name)
    if found.startswith("{{") and name not in _OWN and "." not in name:
        name = name if name in RENDER_NAMES else f"vars.{name}"
        return "${{ " + name + " }}"
    own = name in _OWN or "." in name
    return "${{ " + ("" if own else "env.") + name + " }}"


def script_placeholder(name: str) -> str | None:
    """Return the placeholder for a variable that the script sets itself, or ``None``: ``node_ip`` for ``NODE_IP``."""
    return _SCRIPTS.get(name)


def _first(pattern: str, text: Text) -> str | None:
    """Return the first part of a text that a pattern of variables or placeholders matches."""
    for part in text.parts:
        if not isinstance(part, str) or ("$" not in part and "{{" not in part):
            continue  # as nearly all texts are: the pattern is not even compiled
        match = re.search(pattern, part)
        if match is not None:
            return match.group()
    return None
