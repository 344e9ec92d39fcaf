"""``prepare[].creates``: a path that a step can make, and that is tested as it stands."""

from __future__ import annotations


def step(creates, **more):
    return {"prepare": [{"run": "x", "creates": creates}], **more}


def below(creates, *modes, runtime="docker"):
    places = ("/data", "/data/x", "/data/x/y")
    mounts = [{"source": "/s", "target": place, "mode": mode} for place, mode in zip(places, modes, strict=False)]
    image = {"sqsh": "/a.sqsh"} if runtime == "pyxis" else {"ref": "a/b:1"}
    resources = {"shm": "64G"} if runtime in {"docker", "podman"} else {}
    return step(creates, runtime=runtime, image=image, resources=resources, mounts=mounts)


CASES = {
    **{
        f"pattern {path}": (step(path), ["MN307w"])
        for path in ("/tmp/*.parquet", "/data/part-?.bin", "/data/[ab].bin", "/data/{a,b}.bin", "/s/*/done")
    },
    "pattern behind a placeholder": (step("${{ env.SCRATCH }}/*.parquet"), ["MN307w"]),
    "file": (step("/data/train.parquet"), []),
    "placeholder": (step("${{ env.SCRATCH }}/train.parquet"), []),
    "braces that are none": (step("/data/{a}.bin"), []),
    **{
        f"{runtime}: below a mount for reading": (below("/data/z", "ro", runtime=runtime), ["MN307w"])
        for runtime in ("apptainer", "docker", "podman", "pyxis")
    },
    "the mount itself": (below("/data", "ro"), ["MN307w"]),
    "below a mount for writing": (below("/data/z", "rw"), []),
    "below one for writing in one for reading": (below("/data/x/z", "ro", "rw"), []),
    "below one for reading in one for writing": (below("/data/x/z", "rw", "ro"), ["MN307w"]),
    "beside a mount for reading": (below("/database/z", "ro"), []),
    "nobody mounts": (step("/data/z", mounts=[{"source": "/s", "target": "/data", "mode": "ro"}]), []),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_the_mount_is_named(findings):
    (found,) = findings(**below("/data/x/z", "rw", "ro"))
    assert "mounts.1" in found.message
    assert {label.text for label in found.labels} == {"mounts.1.mode is set here"}
