"""Makes the simulated cluster importable."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "behaviour"), str(HERE.parent / "images")]
