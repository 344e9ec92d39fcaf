"""Checks of rendered files and of files that people wrote by hand; the results are diagnostics.

``check_tree`` (:mod:`mngen.checks.tree`) is for what mngen renders, ``check_together``
(:mod:`mngen.checks.foreign`) for everything else; a command imports the one that it needs.
:mod:`mngen.checks.options` reads command lines.
"""
