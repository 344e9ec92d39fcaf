"""A stand-in for grpc, without which Ray has no client server: only whether it can be imported matters."""

import sys
from pathlib import Path

from simlib.place import Sim

if not Sim(str(Path(sys.prefix).parent)).config["ray"]["client"]:
    raise ImportError("No module named 'grpc'")
