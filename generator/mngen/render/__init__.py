"""From a plan to the text of each file."""

from mngen.render.render import render, render_file

__all__ = ["render", "render_file"]
