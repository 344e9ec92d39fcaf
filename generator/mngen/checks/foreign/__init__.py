"""Lint of files that people wrote by hand: launch scripts, task files, image files."""

from mngen.checks.foreign.lint import check_foreign

__all__ = ["check_foreign"]
