"""Runs hadolint once over any number of Dockerfiles."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mngen.checks.findings import Finding, given_up
from mngen.checks.programs import GaveUp, find, finish, start
from mngen.errors import EnvironmentFailure

IGNORED = (
    # A distribution's archive drops a package version once the next one is out, so a pinned version breaks the
    # build within weeks. What an image holds is fixed by the digest in the lock file instead.
    "DL3008",
    # The same for pip: constraints and the lock file fix the versions, not the command line.
    "DL3013",
    # One RUN for each step can be cached alone, and the check behind it names the step that broke something.
    "DL3059",
    # It takes any name with TOKEN or SECRET in it for a secret, TOKENIZERS_PARALLELISM too. MN810 sees the values.
    "DL3064",
)
"""The rules that generated Dockerfiles do not follow on purpose; ``.hadolint.yaml`` holds the same ones."""


def start_hadolint(
    texts: Sequence[str], folder: Path, *, ignored: Sequence[str] = ()
) -> subprocess.Popen[bytes] | None:
    """Write ``texts`` below ``folder`` and start one process over them; ``None`` when hadolint is not installed.

    A configuration file of the working folder or of the user is not read: findings must not depend on them.
    """
    program = find("hadolint")
    if program is None or not texts:
        return None
    config = folder / "hadolint.yaml"
    config.write_text("ignored: [" + ", ".join(ignored) + "]\n", encoding="utf-8")
    names: list[str] = []
    for number, text in enumerate(texts):
        path = folder / f"{number}.Dockerfile"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        names.append(str(path))
    return start([program, "--no-fail", "--no-color", "--format=json", f"--config={config}", "--", *names], len(names))


def read_hadolint(process: subprocess.Popen[bytes]) -> Mapping[int, tuple[Finding, ...]]:
    """Return the findings by the number of the text; a text without findings has no entry.

    A process that does not end in time is given up, and each text has a finding that says so.
    """
    try:
        status, out, err = finish(process)
    except GaveUp as error:
        return given_up(error.texts, error.message)
    try:
        items: list[dict[str, Any]] = json.loads(out)
    except ValueError as error:
        raise EnvironmentFailure(f"hadolint failed with status {status}: {err.strip()[:300]}") from error
    found: dict[int, list[Finding]] = {}
    for item in items:
        number = int(Path(item["file"]).stem)
        finding = Finding(
            line=item["line"], column=item["column"], code=item["code"], level=item["level"], message=item["message"]
        )
        found.setdefault(number, []).append(finding)
    return {number: tuple(sorted(findings)) for number, findings in found.items()}
