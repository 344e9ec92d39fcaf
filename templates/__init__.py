"""Templates and shell modules."""
