"""The list of commands, without their code: ``--help`` and completion import none of them."""

from __future__ import annotations

from msgspec import Struct


class Entry(Struct, frozen=True):
    """One command: the module of ``mngen.cli`` that holds it as ``command``, and one line on it."""

    module: str
    help: str


COMMANDS: dict[str, Entry] = {
    "init": Entry("init", "Write a first manifest from a preset."),
    "validate": Entry("validate", "Check manifests without writing anything."),
    "render": Entry("render", "Write the files of one or several manifests."),
    "diff": Entry("diff", "Show how the files on disk differ from the manifest."),
    "show": Entry("show", "Print the effective manifest of a target, with origins."),
    "lint": Entry("lint", "Look over launch and image files written by hand."),
    "rehearse": Entry("rehearse", "Run a launch file on nodes that this machine plays."),
    "build-image": Entry("build_image", "Build the images that a manifest describes."),
    "lock": Entry("lock", "Keep what tags and branches mean today."),
    "urls": Entry("urls", "List every host that builds and jobs contact."),
    "inspect": Entry("inspect", "Compare what an image says of itself with a manifest."),
    "explain": Entry("explain", "Explain a field, a placeholder, a variable or a finding's code."),
    "schema": Entry("schema", "Print the JSON Schema of the manifest."),
    "targets": Entry("targets", "List the kinds of target and where each comes from."),
    "completion": Entry("completion", "Print a script for tab completion."),
}
