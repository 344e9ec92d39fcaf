"""The user of a described image: no account of the system's own, and ids that the engines in use can map.

A user's range of ids for rootless podman has 65536 unless ``/etc/subuid`` says more: login.defs(5), ``SUB_UID_COUNT``.
A file of an id beyond it can be neither made nor unpacked there
(https://github.com/containers/podman/blob/main/troubleshooting.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.image import Image
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.judging.image_use import built_image
from mngen.manifest.judging.system_accounts import RESERVED_IDS, USERS
from mngen.manifest.model import Manifest, Runtime

_MAPPED = 65536


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse accounts of the system; warn of ids that rootless podman cannot map where podman is used."""
    for image in manifest.images.values():
        if image.user is not None:
            yield from _account(image)
            if image.builder == "podman" or _runs_by_podman(manifest, image):
                yield from _mapped(image)


def _account(image: Image) -> Iterator[Diagnostic]:
    user = image.user
    if user and user.name in USERS:
        message = f"image.user.name is {user.name}, an account that the base has for itself"
        hint = "choose a name of its own; leave user out where the image is to run as root"
        yield image_finding(image, "MN819", "user.name", message, hint=hint)
    if user and user.uid in RESERVED_IDS:
        message = f"image.user.uid is {user.uid}, which is reserved: 65534 is nobody's, 65535 must not be used"
        yield image_finding(image, "MN819", "user.uid", message, hint="choose another id")


def _runs_by_podman(manifest: Manifest, image: Image) -> bool:
    return any(built_image(target) == image and target.runtime is Runtime.PODMAN for target in manifest.targets)


def _mapped(image: Image) -> Iterator[Diagnostic]:
    user = image.user
    ids = {"uid": user.uid, "gid": user.gid} if user else {}
    for field, number in ids.items():
        if number >= _MAPPED and f"user.{field}" in image.spans:
            message = f"image.user.{field} is {number}: podman without root maps {_MAPPED} ids unless it is given more"
            hint = "have as many given in /etc/subuid and /etc/subgid, or take a smaller id"
            yield image_finding(image, "MN819", f"user.{field}", message, hint=hint, severity=Severity.WARNING)
