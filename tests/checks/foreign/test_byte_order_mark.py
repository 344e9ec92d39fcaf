"""What a byte order mark does to a file depends on who reads the first line."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign

# file name: (its text, what reads the first line, what does not)
READERS = {
    "a.sh": ("#!/bin/bash\ntrue\n", "kernel", "Apptainer"),
    "a.sbatch": ("#!/bin/bash\n#SBATCH --nodes=2\ntrue\n", "sbatch", "Apptainer"),
    "x.def": ("Bootstrap: docker\nFrom: ubuntu:24.04\n", "Apptainer", "sbatch"),
}


@pytest.mark.parametrize("file", READERS)
def test_the_message_names_who_stumbles(file: str) -> None:
    text, reader, other = READERS[file]
    (message,) = (item.message for item in check_foreign(f"\ufeff{text}", file, lint=False) if item.code == "MN799")
    assert reader in message
    assert other not in message
