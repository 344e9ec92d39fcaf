"""Building images: the command lines of the builders, and running them."""
