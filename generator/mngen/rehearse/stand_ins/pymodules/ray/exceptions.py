"""What of Ray's own errors a program may name."""


class RayError(Exception):
    """Whatever Ray raises of its own: https://docs.ray.io/en/latest/ray-core/api/exceptions.html."""


class RaySystemError(RayError):
    """A part of Ray does not answer."""
