"""Knows the base images whose content is known: distributions, and the vendors' toolkits on top of them."""

from __future__ import annotations

import re

_PLAIN = re.compile(
    r"^(?:docker\.io/|public\.ecr\.aws/docker/|mirror\.gcr\.io/)?(?:library/)?"
    r"(?:ubuntu|debian|alpine|fedora|centos|rockylinux(?:/\w+)?|almalinux|amazonlinux|opensuse/\w+|python|"
    r"(?:redhat/)?ubi\d[\w-]*|nvidia/cuda|rocm/dev-[\w.-]+)(?:[:@]|$)"
)
_TOOLKIT = re.compile(r"nvidia/cuda(?:[:@]|$)")


def is_plain(image: str) -> bool:
    """Tell whether an image has nothing below /opt, /workspace and the like but its vendor's toolkit."""
    return _PLAIN.match(_known(image)) is not None


def sets_library_paths(image: str) -> bool:
    """Tell whether a plain image sets LD_LIBRARY_PATH and LIBRARY_PATH: those of CUDA do."""
    return _TOOLKIT.search(image) is not None


def _known(image: str) -> str:
    return image.removeprefix("nvcr.io/") if "/nvidia/cuda" in image else image
