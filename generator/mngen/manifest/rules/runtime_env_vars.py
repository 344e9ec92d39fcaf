"""``driver.runtime_env.env_vars``: the one place where a value does not arrive as it is, because Ray fills it in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import note
from mngen.manifest.judging.shell_syntax import filled_in_by_ray
from mngen.manifest.model import Target

_TAKEN_AWAY = re.compile(r"\$\{[A-Z0-9_]+\}")
"""What Ray removes of a value when no variable of that name is set; any other name stays."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Note the variables that Ray puts in; nothing escapes them."""
    env = target.driver.runtime_env
    for name, value in env.env_vars if env is not None else ():
        found = filled_in_by_ray(value)
        if found is None:
            continue
        field = f"driver.runtime_env.env_vars.{name}"
        unset = "nothing stands there" if _TAKEN_AWAY.fullmatch(found) else "it stays"
        message = (
            f"{field} holds {found}, for which Ray puts in the value on each process's own node; {unset} where no such "
            "variable is set"
        )
        hint = f"right if that is meant; a literal {found} cannot be sent so: set {name} in `env`, which keeps it"
        yield note(target, "MN297", field, message, hint=hint)
