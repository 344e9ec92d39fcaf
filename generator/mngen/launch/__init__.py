"""The launch core: one bootstrap of Ray, from a target's fields to the parts of a bash script."""
