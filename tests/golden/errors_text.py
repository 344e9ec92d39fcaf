"""What mngen says about a wrong manifest, as text: every finding, then the exit status.

A manifest of ``golden/errors`` may begin with ``# run: --set KEY=VALUE --overlay FILE --target NAME``: the options
that make it wrong. Files it names are read beside it.
"""

from __future__ import annotations

import argparse
import shlex
from functools import cache
from pathlib import Path

from mngen import targets
from mngen.cli import copied_files
from mngen.diagnostics import Diagnostic, has_errors
from mngen.images import oversize
from mngen.manifest.characters import MOST_BYTES, decode, split_lines
from mngen.manifest.load import LoadOptions, load
from mngen.render import render as files_of
from mngen.report.conceal import conceal
from mngen.report.text import render

ERRORS = Path(__file__).resolve().parents[2] / "golden" / "errors"
_MARK = "# run: "


def cases() -> list[Path]:
    """Return all wrong manifests, by name."""
    return sorted(ERRORS.glob("*.yaml"))


@cache
def findings(manifest: Path) -> tuple[tuple[Diagnostic, ...], dict[str, tuple[str, ...]]]:
    """Load a wrong manifest, ask its targets and judge its images; return what was found, and the lines that the findings quote."""
    data = manifest.read_bytes()
    text = decode(data, manifest.name)
    if isinstance(text, Diagnostic):
        return (text,), {manifest.name: split_lines(data[:MOST_BYTES].decode("utf-8", "replace"))}
    loaded = load(text, manifest.name, _options(text))
    found = (*loaded.diagnostics, *(targets.notes(loaded.manifest) if loaded.manifest is not None else ()))
    if loaded.manifest is not None and not has_errors(found):
        files = files_of(targets.plan(loaded.manifest), digest="").files
        found = (*found, *copied_files.findings(loaded.manifest, Path()), *oversize.findings(loaded.manifest, files))
    return found, {name: tuple(lines) for name, lines in loaded.sources.items()}


def report(manifest: Path) -> str:
    """Return the text that stands beside a wrong manifest."""
    found, sources = conceal(*findings(manifest))
    return f"{render(found, sources)}\nexit status {1 if has_errors(found) else 0}\n"


def _options(text: str) -> LoadOptions:
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--set", action="append", default=[], dest="sets")
    parser.add_argument("--overlay", action="append", default=[])
    parser.add_argument("--target", action="append", default=[])
    first = text.split("\n", 1)[0]
    given = parser.parse_args(shlex.split(first.removeprefix(_MARK)) if first.startswith(_MARK) else [])
    overlays = tuple((name, _beside(name)) for name in given.overlay)
    return LoadOptions(overlays=overlays, sets=tuple(given.sets), targets=tuple(given.target), read=_beside)


def _beside(name: str) -> str:
    return (ERRORS / name).read_text(encoding="utf-8")
