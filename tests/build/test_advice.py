"""What is said of a step of an image that failed."""

from __future__ import annotations

import pytest

from mngen.build.advice import advise

# By what has to be in the hint: the lines as pip 23 to 25, apt 2, git 2, curl 8 and Python print them.
CASES = {
    "no_build_isolation": [
        "Collecting flash-attn==2.7.4",
        "  Getting requirements to build wheel: finished with status 'error'",
        "      ModuleNotFoundError: No module named 'torch'",
        "ERROR: Failed to build 'flash-attn' when getting requirements to build wheel",
    ],
    "has verll==0.6 for this Python": [
        "ERROR: Could not find a version that satisfies the requirement verll==0.6 (from versions: none)",
        "ERROR: No matching distribution found for verll==0.6",
    ],
    "has torch>=2.9 for this Python": [
        "ERROR: Could not find a version that satisfies the requirement torch>=2.9 (from versions: 2.0.0, 2.0.1)",
    ],
    "exclude each other": [
        "ERROR: Cannot install numpy==1.26 and numpy==2.1 because these package versions have conflicting dependencies.",
        "ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/",
    ],
    "other file than the one": ["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."],
    "no package libibverbz-dev": ["E: Unable to locate package libibverbz-dev"],
    "no package netcat": ["E: Package 'netcat' has no installation candidate"],
    "the repository has no v9": ["fatal: Remote branch v9 not found in upstream origin"],
    "the repository has no v8": ["error: pathspec 'v8' did not match any file(s) known to git"],
    "mngen urls": ["curl: (6) Could not resolve host: example.org"],
    "`mirrors` puts": [
        "W: Failed to fetch http://deb.example.org/x  Temporary failure resolving 'deb.example.org'",
        "E: Some index files failed to download.",
    ],
    "what a build contacts": [
        "WARNING: Retrying after connection broken by 'NewConnectionError(...: Temporary failure in name resolution')'",
        "ERROR: No matching distribution found for torch",
    ],
    "a site's own": [
        "W: Failed to fetch http://deb.example.org/x  Temporary failure resolving 'deb.example.org'",
        "E: Unable to locate package git",
    ],
    "disk is full": ["OSError: [Errno 28] No space left on device"],
}


@pytest.mark.parametrize("wanted", CASES)
def test_a_step_that_failed_is_explained(wanted: str) -> None:
    found = advise(CASES[wanted], 1)
    assert found is not None
    assert wanted in found
    assert "{" not in found


def test_a_step_that_was_killed_had_no_memory() -> None:
    assert "MAX_JOBS" in (advise(["[3/12] nvcc flash_fwd.cu", "Killed"], 137) or "")
    assert "MAX_JOBS" in (advise(["      ModuleNotFoundError: No module named 'ninja'", "Killed"], 137) or "")
    assert advise(["ModuleNotFoundError: No module named 'numpy'"], 1) is None, "a step of the user's, and no pip"
    assert advise(["[3/12] nvcc flash_fwd.cu"], 1) is None
    assert advise([], None) is None
