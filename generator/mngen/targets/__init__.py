"""The kinds of place to run, and the plan of a whole manifest."""

from mngen.targets.registry import KINDS, module, notes, plan

__all__ = ["KINDS", "module", "notes", "plan"]
