"""Images: one typed description, written as a Dockerfile and as an Apptainer definition file."""

from __future__ import annotations

from mngen.images.plan import plan

__all__ = ["plan"]
