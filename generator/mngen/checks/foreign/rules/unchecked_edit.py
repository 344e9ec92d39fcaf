"""sed -i succeeds when it changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_IN_PLACE = re.compile(r"-[A-Za-z]*i|-i.*|--in-place(=.*)?")
_CHECKS = {"grep", "egrep", "cmp", "diff", "sha256sum", "md5sum", "rg"}
_OF_THE_SYSTEM = ("/etc/", "/usr/share/", "/usr/lib/locale")
"""Settings of the distribution, which its packages bring; the danger is in source text that moves on."""


def _check(document: Document) -> Iterator[Found]:
    calls = [call for script in document.steps for call in script.calls]
    for number, call in enumerate(calls):
        if call.program == "sed" and any(_IN_PLACE.fullmatch(text) for text in call.texts):
            files = _files(call)
            if (
                files
                and not all(name.startswith(_OF_THE_SYSTEM) for name in files)
                and not _checked(files, calls[number:])
            ):
                yield Found(
                    call.line,
                    "when the text to replace is no longer there this changes nothing, and the build goes on",
                    "check the result (`grep -q NEW FILE` behind it), or apply a patch, which fails when it does not "
                    "fit",
                    at="sed",
                )


def _files(call: Call) -> list[str]:
    """Return the files that a ``sed`` edits: its operands, but for the first where no ``-e`` holds the script."""
    words = [text for text in call.texts if not text.startswith("-")]
    scripted = any(text in {"-e", "-f", "--expression", "--file"} for text in call.texts)
    return words[1:] if not scripted else [word for word in words if "/" in word or "." in word][-1:]


def _checked(files: Sequence[str], after: Sequence[Call]) -> bool:
    names = {name.rpartition("/")[2] for name in files}
    for call in after:
        reads = any(text.rpartition("/")[2] in names for text in call.texts)
        if (call.program in _CHECKS and reads) or (call.program == "git" and "diff" in call.texts):
            return True
    return False


RULE = Rule("MN706", Severity.WARNING, _check)
