"""Write docs/manifest.md anew from the schema; ``make docs`` runs this."""

from __future__ import annotations

from pathlib import Path

from mngen.manifest.reference import markdown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "manifest.md"


def main() -> None:
    """Write the page."""
    PAGE.write_text(markdown(), encoding="utf-8")


if __name__ == "__main__":
    main()
