"""The rules about what several foreign files say of each other, one module each."""

from __future__ import annotations

from mngen.checks.foreign.across import different_pins, missing_image_file
from mngen.checks.foreign.across.rule import RuleAcross

RULES_ACROSS: tuple[RuleAcross, ...] = (different_pins.RULE, missing_image_file.RULE)
"""Every rule that looks at all files of one call."""
