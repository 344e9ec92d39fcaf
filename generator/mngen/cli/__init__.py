"""The command line: parse, call, report, exit. One module for each command."""

from __future__ import annotations

from mngen.cli.app import main

__all__ = ["main"]
