"""Rendered files, and the parts of them that a test runs by itself."""

from mngen import render as renderer
from mngen import targets
from mngen.manifest.model import Manifest
from mngen.plan import RenderedFile

_STARTS = "\n# Slurm runs this file with the user's arguments"


def rendered_files(manifest: Manifest) -> tuple[RenderedFile, ...]:
    """Every file of a manifest's targets."""
    plan = targets.plan(manifest, partial=True)
    return renderer.render(plan, digest=manifest.digest).files


def rendered(manifest: Manifest) -> dict[str, str]:
    """The texts of these files, by path."""
    return {file.path: file.text for file in rendered_files(manifest)}


def functions(text: str) -> str:
    """A batch file's settings and functions, without the line that starts its work."""
    before, mark, _ = text.partition(_STARTS)
    assert mark, "the batch file has no line that starts its work"
    return before + "\n"


def function(text: str, name: str) -> str:
    """One function of a rendered script."""
    start = text.index(f"\n{name}() {{\n") + 1
    return text[start : text.index("\n}\n", start) + 3]


def image_files(manifest: Manifest) -> dict[str, str]:
    """The texts of the files of a manifest's image, by name."""
    plan = targets.plan(manifest)
    files = renderer.render(plan, digest=manifest.digest).files
    return {file.path.rpartition("/")[2]: file.text for file in files if file.group == "images"}
