"""What tab completion offers beyond click's own. It never fails: a broken manifest completes to nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mngen.cli.inputs import read_regular
from mngen.manifest.layers import children
from mngen.manifest.source import load_text


def target_names(manifests: Iterable[str], incomplete: str) -> list[str]:
    """Return the names of targets in the manifests that begin with what was typed."""
    names: dict[str, None] = {}
    for manifest in manifests:
        try:
            root = load_text(read_regular(Path(manifest)).decode("utf-8-sig"), manifest).root
        except (OSError, ValueError):
            continue
        names.update(dict.fromkeys(children(root, "targets")))
    return [name for name in names if name.startswith(incomplete)]
