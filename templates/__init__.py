"""Templates and shell modules, read with ``importlib.resources``."""
