"""The kinds of place to run, and the plan of a whole manifest."""

from mngen.targets.foreign import definition
from mngen.targets.registry import KINDS, module, notes, plan

__all__ = ["KINDS", "definition", "module", "notes", "plan"]
