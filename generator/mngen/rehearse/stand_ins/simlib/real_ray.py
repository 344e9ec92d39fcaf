"""The installed Ray in the stand-in's place: writes down how it was called, then is it."""

import os
import sys

from simlib.place import Sim

CODE = "import sys; sys.argv[0] = 'ray'; from ray.scripts.scripts import main; sys.exit(main())"


def ray(root: str) -> int:
    """`ray` itself."""
    sim = Sim(root)
    sim.record_call("ray", sys.argv[1:])
    python = sim.config["ray"]["real"]["python"]
    os.execv(python, [python, "-c", CODE, *sys.argv[1:]])
