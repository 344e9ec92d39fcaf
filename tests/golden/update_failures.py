"""Write the lower half of every example of ``golden/build-failures`` anew; ``make golden`` runs this."""

from __future__ import annotations

import runpy
from pathlib import Path


def main() -> None:
    """Write every example."""
    text = runpy.run_path(str(Path(__file__).with_name("failures_text.py")))
    for case in text["cases"]():
        case.write_text(text["text"](case), encoding="utf-8")


if __name__ == "__main__":
    main()
