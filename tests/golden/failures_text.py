"""What mngen says when an engine or a registry is in the way: the example, the words of the engine, mngen's own."""

from __future__ import annotations

from pathlib import Path

from mngen.build.failures import BuildFailure, Scene, classify
from mngen.build.names import registry_of
from mngen.build.redact import redactor

FAILURES = Path(__file__).resolve().parents[2] / "golden" / "build-failures"
PASSWORD = "s3cret-of-ci"


def cases() -> list[Path]:
    """Return all examples, by name."""
    return sorted(FAILURES.glob("*.txt"))


def failure(case: Path) -> BuildFailure:
    """Return the failure that an example's text means."""
    head, _, said = question(case).partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    scene = Scene(
        program=facts["program"],
        doing=facts["doing"],
        reference=facts["reference"],
        registry=registry_of(facts["reference"]),
        logged_in=facts["login"] == "yes",
        address="unix:///run/docker.sock",
    )
    return classify(redactor([])(said), scene)


def question(case: Path) -> str:
    """Return an example's upper half."""
    return case.read_text(encoding="utf-8").partition("---\n")[0]


def text(case: Path) -> str:
    """Return the whole example, with mngen's words as they are now."""
    found = failure(case)
    again = "a push is tried again\n" if found.passing else ""
    return (
        f"{question(case)}---\nerror: {found.message}\nhint: {found.hint}\nexit status {found.exit_code}\n{again}"
    )
