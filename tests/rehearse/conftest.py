"""Puts this folder on the path, where the tests find their launch files."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
