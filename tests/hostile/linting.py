"""ShellCheck over many scripts at once, at its strictest, and bash's own parser."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from mngen.checks.shellcheck import read_shellcheck, start_shellcheck


def findings(scripts: Sequence[str], folder: Path) -> list[str]:
    """What ShellCheck says at style level, and where bash does not parse, with the line."""
    process = start_shellcheck(scripts, folder)
    said = []
    for number, script in enumerate(scripts):
        done = subprocess.run(["bash", "-n"], input=script.encode(), capture_output=True, check=False)
        said += done.stderr.decode(errors="replace").splitlines()
        assert not done.returncode or done.stderr, number
    for number, found in read_shellcheck(process).items():
        lines = scripts[number].split("\n")
        said += [f"{item.code} {item.message}: {lines[item.line - 1]!r}" for item in found]
    return said
