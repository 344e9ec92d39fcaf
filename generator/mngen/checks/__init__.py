"""Checks of rendered files and of files that people wrote by hand; the results are diagnostics.

``check_tree`` (:mod:`mngen.checks.tree`) is for what mngen renders, ``check_foreign``
(:mod:`mngen.checks.foreign`) for everything else. :mod:`mngen.checks.options` reads command lines.
"""

from mngen.checks.foreign import check_foreign
from mngen.checks.tree import CheckOptions, check_tree

__all__ = ["CheckOptions", "check_foreign", "check_tree"]
