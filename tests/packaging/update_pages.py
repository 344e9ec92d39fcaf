"""Write the generated pages of ``docs`` anew; ``make docs`` runs this, and tests keep the pages current."""

from __future__ import annotations

from pathlib import Path

from mngen.codes_page import page as codes_page
from mngen.manifest.capability_page import page as capabilities_page
from mngen.manifest.reference import markdown as manifest_page

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {"errors.md": codes_page, "capabilities.md": capabilities_page, "manifest.md": manifest_page}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
