"""The sections of a definition file are read by the shell that runs them, and not at all if that is no shell."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign, read_document

HEAD = "Bootstrap: docker\nFrom: a/b@sha256:" + "0" * 64 + "\n\n"
TEST = '    [[ -d /x ]] && exec "$@"\n'
NOT_IN_SH = "SC3010"


def codes(text: str) -> list[str]:
    return [item.code for item in check_foreign(HEAD + text, "x.def")]


# the lines that begin a section: whether `[[ … ]]` is known to the shell that runs it
SHELLS = {
    "%runscript\n": False,
    "%runscript\n    #!/bin/sh\n": False,
    "%runscript\n    #!/bin/bash\n": True,
    "%startscript\n#!/usr/bin/env bash\n": True,
    "%runscript\n\n    #!/bin/bash -e\n": True,
    "%test\n    #!/bin/ksh\n": True,
    "%post -c /bin/bash\n": True,
    "%post\n": False,
    "%post\n    #!/bin/bash\n": False,
    "%runscript\n    true\n    #!/bin/bash\n": False,
}


@pytest.mark.parametrize("begin", SHELLS)
def test_the_shell_is_the_one_that_runs_the_section(begin: str) -> None:
    found = codes(begin + TEST)
    assert (NOT_IN_SH in found) is not SHELLS[begin]
    if SHELLS[begin]:
        assert found == []


@pytest.mark.parametrize(
    "begin",
    [
        *("%post -c /usr/bin/python3\n", "%runscript\n    #!/usr/bin/env python3\n", "%test\n#!/usr/bin/perl\n"),
        "%startscript\n    #!/usr/bin/python3 -u\n",
    ],
)
def test_another_language_is_no_shell_text(begin: str) -> None:
    text = begin + "    def f(x):\n        return x\n    printenv\n"
    assert codes(text) == []
    assert read_document(HEAD + text, "x.def").scripts == ()
    assert codes(f"{text}%test\n    printenv\n") == ["MN782"]


def test_arguments_of_the_build_are_words() -> None:
    text = "%arguments\n    TORCH=2.8.0\n\n%post\n    pip install torch=={{ TORCH }} 'x=={{X}}' {{ NAME }}\n"
    assert codes(text) == []
    (item,) = [
        item for item in check_foreign(HEAD + f"{text}    ls {{{{ A }}}} $1\n", "x.def") if item.code == "SC2086"
    ]
    assert item.span is not None
    assert (item.span.line, item.span.column) == (9, 16)
