"""The output folder: who owns which file, what would change, and how it changes atomically."""
