"""Requirements files in ``driver.runtime_env.pip``, which pip looks for in a folder of Ray's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target

_FILE = re.compile(
    r"(?P<option>(?:-r|--requirement|-c|--constraint)(?:[ =]+|(?=\S)))?(?P<path>[^\s=<>~!;@]+\.(?:txt|in))"
)
_FOUND = ("/", "$", "http://", "https://", "file:")
_SENT = "${RAY_RUNTIME_ENV_CREATE_WORKING_DIR}"
"""The sent ``working_dir`` on the node; Ray replaces the name itself (ray/_private/runtime_env/working_dir.py)."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn of files that are taken for packages, and of relative paths, which begin beside a list that Ray writes."""
    env = target.driver.runtime_env
    for index, item in enumerate(env.pip if env else ()):
        match = _FILE.fullmatch(item)
        if match is None or (match["option"] and match["path"].startswith(_FOUND)):
            continue
        option = (match["option"] or "-r").strip(" =")
        path = match["path"] if match["path"].startswith(_FOUND) else f"{_SENT}/{match['path'].removeprefix('./')}"
        field = f"driver.runtime_env.pip.{index}"
        wrong = f"is read beside the list that Ray writes for pip: no file {match['path']} is there"
        message = f"{field} {wrong if match['option'] else 'is the name of a package to pip, not a file of them'}"
        yield warning(target, "MN303", field, message, hint=f"write '{option} {path}'" + _where(path))


def _where(path: str) -> str:
    return "; the file must be in driver.runtime_env.working_dir" if path.startswith(_SENT) else ""
