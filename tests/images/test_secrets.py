"""A build secret is where a step looks for it, and whoever runs the step may read it."""

from __future__ import annotations

import re

import dockerfile_reader
import pytest
from image_cases import ANY_USER, CUDA, MINIMAL, ROCM
from msgspec.structs import replace

from mngen.images import apptainer, dockerfile
from mngen.manifest.image import Step, User

TESTED = (Step(run="test -r /run/secrets/hf_token", secrets=("hf_token",)),)
USERS = {
    "root": MINIMAL,
    "named": CUDA,
    "other group": replace(CUDA, user=User(name="trainer", uid=1234, gid=0)),
    "any": ANY_USER,
    "named and any": replace(ANY_USER, user=User(name="trainer", uid=1001, gid=1001)),
}


def mounts(text: str):
    """Yield the user that a RUN runs as, and the options of each secret that it is shown."""
    user = "0"
    for name, rest, _ in dockerfile_reader.instructions(text):
        if name == "FROM":
            user = "0"
        elif name == "USER":
            user = rest.partition(":")[0]
        elif name == "RUN":
            for found in re.findall(r"--mount=(type=secret\S+)", rest):
                yield user, dict(part.split("=") for part in found.split(","))


@pytest.mark.parametrize("builder", ["buildkit", "podman"])
@pytest.mark.parametrize("name", USERS)
def test_a_secret_may_be_read_by_who_runs_the_step(name, builder):
    """Its file is root's own, with mode 0400, unless the mount says otherwise (Dockerfile reference)."""
    steps = (Step(run="x", secrets=("other",)),)
    image = replace(USERS[name], builder=builder, self_test=TESTED, steps=steps, secrets=("netrc",))
    found = [(user, options) for user, options in mounts(dockerfile.text(image))]
    assert {options["id"] for _, options in found} >= {"hf_token", "other"}
    for user, options in found:
        owner, mode = options.get("uid", "0"), int(options.get("mode", "0400"), 8)
        assert user == "0" or mode & 0o004 or (owner == user and mode & 0o400), options
        assert mode & 0o377 == mode & 0o044, "nobody else needs to read it"
    assert {user for user, options in found if options["id"] == "hf_token"} == ({"0"} if name == "root" else {
        str(image.user.uid) if image.user else "1001"
    })  # fmt: skip


def test_a_sif_of_a_built_image_has_a_place_for_the_secrets_of_its_self_tests():
    text = apptainer.wrapping(replace(ROCM, self_test=TESTED), "docker-daemon", "x:1")
    setup, test = text.index("%setup"), text.index("%test")
    assert setup < test
    assert 'touch "${APPTAINER_ROOTFS}/run/secrets/hf_token"' in text
    assert "netrc" not in text
    assert "%setup" not in apptainer.wrapping(replace(CUDA, secrets=("netrc",)), "docker-daemon", "x:1")
