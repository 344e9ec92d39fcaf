"""Asks bash itself whether a text parses: ``bash -n``."""

from __future__ import annotations

import re
import subprocess

from mngen.checks.findings import Finding

_COMPLAINT = re.compile(r"^(?:.*?: )?line (\d+): (.*)$")


def syntax_error(bash: str, text: str) -> Finding | None:
    """Return bash's first complaint about ``text``, or ``None`` if it parses.

    Only ``-n`` is passed and no start-up file is read, so nothing of the text runs. The code of the
    finding is left empty: whose text it is decides that.
    """
    done = subprocess.run(
        [bash, "--noprofile", "--norc", "-n"],
        input=text.encode(),
        capture_output=True,
        check=False,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
    )
    if done.returncode == 0:
        return None
    for line in done.stderr.decode("utf-8", "replace").splitlines():
        match = _COMPLAINT.match(line)
        if match:
            return Finding(int(match.group(1)), 1, "", "error", match.group(2))
    return Finding(1, 1, "", "error", "bash does not parse this text")
