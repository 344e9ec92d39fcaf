"""Diagnostic codes: what each means and how to mend it."""

from mngen.codes.registry import CODES, Code

__all__ = ["CODES", "Code"]
