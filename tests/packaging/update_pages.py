"""Write the generated pages of ``docs`` anew; ``make docs`` runs this, and tests keep the pages current."""

from __future__ import annotations

import sys
from pathlib import Path

from mngen.codes.page import page as codes_page
from mngen.manifest.capability_page import page as capabilities_page
from mngen.manifest.reference import markdown as manifest_page
from mngen.rehearse.page import page as rehearse_page

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/structure"), str(ROOT / "tests/real")]

from guarantees_page import page as guarantees_page  # noqa: E402 - the folders must be on the path first
from whole_page import page as whole_page  # noqa: E402 - as above

DOCS = ROOT / "docs"
PAGES = {
    "errors.md": codes_page,
    "capabilities.md": capabilities_page,
    "manifest.md": manifest_page,
    "guarantees.md": guarantees_page,
    "rehearse.md": rehearse_page,
    "whole-matrix.md": whole_page,
}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
