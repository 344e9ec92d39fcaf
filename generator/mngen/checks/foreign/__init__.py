"""Lint of files that people wrote by hand: launch scripts, task files, image files."""

from mngen.checks.foreign.document import CHECKED, Document, Form
from mngen.checks.foreign.kinds import may_be_known
from mngen.checks.foreign.lint import check_foreign, check_together
from mngen.checks.foreign.reader import read_document

__all__ = ["CHECKED", "Document", "Form", "check_foreign", "check_together", "may_be_known", "read_document"]
