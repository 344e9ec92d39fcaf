"""Write the text beside every wrong manifest of ``golden/errors`` anew; ``make golden`` runs this."""

from __future__ import annotations

import runpy
from pathlib import Path


def main() -> None:
    """Write one ``.txt`` for each ``.yaml``, and remove those that have no manifest any more."""
    text = runpy.run_path(str(Path(__file__).with_name("errors_text.py")))
    manifests = text["cases"]()
    for manifest in manifests:
        manifest.with_suffix(".txt").write_text(text["report"](manifest), encoding="utf-8")
    wanted = {manifest.with_suffix(".txt") for manifest in manifests}
    for stale in sorted(set(text["ERRORS"].glob("*.txt")) - wanted):
        stale.unlink()


if __name__ == "__main__":
    main()
