"""mngen: one manifest becomes every file that a multi-node Ray workload needs."""

from __future__ import annotations

__version__ = "0.1.0"
