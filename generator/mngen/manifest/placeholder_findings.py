"""What is said about a placeholder that cannot be resolved."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mngen.diagnostics import Diagnostic, Label, Severity, Span
from mngen.manifest.nearest import nearest
from mngen.manifest.node import Node
from mngen.manifest.placeholders import Placeholder, phase_of
from mngen.manifest.text import Phase

_KNOWN = {
    Phase.RENDER: "when the files are rendered",
    Phase.NODE: "on the node, before the cluster forms",
    Phase.CLUSTER: "once the cluster's head is chosen",
}
_LATE = "`env`, `setup`, `prepare`, `services`, `ray.start_args` or the driver's command and arguments"
"""Where every name may stand."""

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
"""What an environment variable is called, and no placeholder."""


def bad_syntax(part: Placeholder, span: Span) -> Diagnostic:
    """Say why a placeholder holds no name."""
    if not part.closed:
        hint = "close it, or write `$${{` for a literal `${{`"
        return _error("MN110", "`${{` has no `}}` on its line", span, hint)
    hint = "a placeholder is one name, without operators: `${{ nodes }}`; `$${{` writes a literal `${{`"
    if ":-" in part.spelling:
        hint = "a variable of the node may have a default, `${{ env.NAME:-16 }}`; the other names always have a value"
    return _error("MN110", f"`{part.spelling}` is not one name", span, hint)


def too_late(name: str, late: str, use: tuple[str, Phase], span: Span, *, secret: bool) -> Diagnostic:
    """Say that a field is needed before a value is known; ``late`` is the name in the value that is known late."""
    field, phase = use
    via = "" if late == name else f" (through `{late}`)"
    known = _KNOWN[phase_of(late)]
    message = f"`{field}` is needed {_KNOWN[phase]}, and `{name}` is known only {known}{via}"
    hint = f"use it in {_LATE}"
    if secret:
        hint = f"remove it: files and command lines show it to others; the job's environment has {late[4:]}"
    elif field.endswith(".ready.http"):
        hint = "write ready: {command: [curl, -fs, …]}, whose words may hold it"
    elif field.startswith("slurm.") and not field.startswith("slurm.srun_args"):
        hint = _of_directive(late)
    elif field.startswith("driver.runtime_env."):
        hint = "set it in `env`, which every process of the job has"
    elif late.startswith("env."):
        hint = f"give `{late[4:]}` a value of its own in `env`, or use a name from `vars`"
    return _error("MN109", message, span, hint)


def _of_directive(late: str) -> str:
    """Return the way out for a directive; a value in ``env`` would reach the job as well, where nobody asked for it."""
    before = "sbatch reads it before anything of the job runs"
    if late.startswith("env."):
        return f"{before}: write the value itself, or a name from `vars`"
    return f"{before}: use it in {_LATE}"


def unsafe(name: str, value: str, span: Span) -> Diagnostic:
    """Say that a value cannot be spliced into shell text."""
    in_env = name.startswith("env.")
    how = f'write "${name[4:]}"' if in_env else 'pass it through `env` and write "$NAME"'
    message = f"the value of `{name}` holds characters that a shell reads: {value!r}"
    return _error("MN116", message, span, f"in shell text {how}")


def beyond_ray(name: str, count: str, values: Mapping[str, str], span: Span) -> Diagnostic:
    """Warn that the driver is told of GPUs that Ray does not have; ``count`` is the placeholder behind ``name``."""
    mend = {"total_gpus": "ray_gpus", "gpus": "ray_node_gpus"}[count]
    has = f"Ray has {values[mend]} {'in all' if count == 'total_gpus' else 'on each node'}"
    what = f"`{name}`" if name == count else f"`{count}` (through `{name}`)"
    message = f"{what} is {values[count]}, but {has}: services or ray.head_gpus take the others"
    return Diagnostic("MN298", Severity.WARNING, message, span, f"write `${{{{ {mend} }}}}`")


def no_port(service: str, span: Span) -> Diagnostic:
    """Say that a service has no port to name."""
    return _error("MN108", f"service `{service}` has no port", span, f"give service `{service}` a port: `port: auto`")


def unknown(name: str, names: list[str], span: Span) -> Diagnostic:
    """Say that a name is none of ``names``, with the nearest."""
    near = nearest(name, names) or nearest(f"vars.{name}", names)
    if name.startswith("env."):
        hint = "a variable's name is made of letters, digits and `_`, and begins with no digit"
    elif near:
        hint = f"did you mean `{near}`?"
    elif name.startswith("vars."):
        hint = "add it to `vars`"
    elif _VARIABLE.fullmatch(name):
        hint = f"write `${{{{ env.{name} }}}}` for a variable"
    else:
        hint = f"names are {', '.join(one for one in names if '.' not in one)}, vars.NAME, env.NAME, services.NAME.port"
    return _error("MN108", f"there is no placeholder `{name}`", span, hint)


def of_another(name: str, other: str, target: str, span: Span) -> Diagnostic:
    """Say that a variable is one of another target, and not of the target that needs it."""
    message = f"target `{target}` has no `{name}`: it is one of target `{other}`"
    return _error("MN108", message, span, f"add it to `vars` at the top level, or to those of `{target}`")


def circle(name: str, stack: tuple[str, ...], node: Node, span: Span) -> Diagnostic:
    """Say that variables name each other in a circle, or in a chain without an end in sight."""
    label = Label(node.span, f"`{name}` is defined here")
    message = f"placeholders go through more than {len(stack)} variables"
    if name in stack:
        message = f"placeholders go in a circle: {' -> '.join([*stack[stack.index(name) :], name])}"
    return Diagnostic("MN110", Severity.ERROR, message, span, "write one of them out", (label,))


def too_long(most: int, span: Span) -> Diagnostic:
    """Say that a value grew beyond any use."""
    return _error("MN110", f"its placeholders make this longer than {most} characters", span, "write less of it")


def _error(code: str, message: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, span, hint)
