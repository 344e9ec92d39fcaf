"""Knows the base images whose content is known: distributions, the vendors' toolkits on top of them, languages."""

from __future__ import annotations

import re

_PLAIN = re.compile(
    r"^(?:docker\.io/|public\.ecr\.aws/docker/|mirror\.gcr\.io/)?(?:library/)?"
    r"(?:ubuntu|debian|alpine|fedora|centos|rockylinux(?:/\w+)?|almalinux|amazonlinux|opensuse/\w+|python|"
    r"(?:redhat/)?ubi\d[\w-]*|nvidia/cuda|rocm/dev-[\w.-]+)(?:[:@]|$)"
)
_IMAGE = re.compile(r"([^/:@]+)(?:[:@][^/]*)*$")
_SET_BY = {
    "golang": {"GOPATH", "GOTOOLCHAIN"},
    "rust": {"CARGO_HOME", "RUSTUP_HOME"},
    "node": {"YARN_VERSION"},
    "python": {"GPG_KEY", "PYTHON_SHA256", "PYTHON_PIP_VERSION", "PYTHON_GET_PIP_URL", "PYTHON_GET_PIP_SHA256"},
}
"""Variables that official images set: https://github.com/docker-library, the Dockerfiles of each."""
_TOOLKIT = re.compile(r"nvidia/cuda(?:[:@]|$)")


def is_plain(image: str) -> bool:
    """Tell whether an image has nothing below /opt, /workspace and the like but its vendor's toolkit."""
    return _PLAIN.match(_known(image)) is not None


def sets_library_paths(image: str) -> bool:
    """Tell whether a plain image sets LD_LIBRARY_PATH and LIBRARY_PATH: those of CUDA do."""
    return _TOOLKIT.search(image) is not None


def sets(image: str, name: str) -> bool:
    """Tell whether an image is known to set a variable; all that are not plain say which release they are."""
    match = _IMAGE.search(image)
    own = match.group(1) if match else ""
    return name in _SET_BY.get(own, ()) or (name == f"{own.upper()}_VERSION" and not is_plain(image))


def _known(image: str) -> str:
    return image.removeprefix("nvcr.io/") if "/nvidia/cuda" in image else image
