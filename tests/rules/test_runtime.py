"""Runtimes, images, container options, mounts, code, network."""

from __future__ import annotations

import pytest

REF = {"ref": "verlai/verl:v1"}


SHM = {"shm": "64G"}


def ref(name):
    return {"runtime": "docker", "image": {"ref": name}, "resources": SHM}


def options(runtime, *words, **more):
    image = {"sqsh": "/a.sqsh"} if runtime == "pyxis" else REF
    container = {"options": list(words), **more.pop("container", {})}
    resources = {**SHM, **more.pop("resources", {})} if runtime in {"docker", "podman"} else more.pop("resources", {})
    return {"runtime": runtime, "image": image, "container": container, "resources": resources, **more}


def mount(source="/data", target="/data", **more):
    return {"mounts": [{"source": source, "target": target}], **more}


CASES = {
    "no runtime, no image": ({}, []),
    "apptainer without an image": ({"runtime": "apptainer"}, ["MN270"]),
    "docker without an image": ({"runtime": "docker", "resources": SHM}, ["MN270"]),
    "docker with a described image": ({"runtime": "docker", "built_image": {}, "resources": SHM}, []),
    "no runtime, ready image": ({"image": REF}, ["MN270n"]),
    "prefix without a prefix": ({"runtime": "prefix"}, ["MN270"]),
    "prefix": ({"runtime": "prefix", "container": {"prefix": ["shifter"]}}, []),
    "pyxis by hand": ({"kind": "manual", "runtime": "pyxis", "image": {"sqsh": "/a"}}, ["MN270"]),
    "AMD on dstack without an image": ({"kind": "dstack", "variant": "rocm"}, ["MN270"]),
    "AMD on dstack": ({"kind": "dstack", "variant": "rocm", "image": REF}, []),
    "file as a reference": ({"runtime": "apptainer", "image": {"ref": "images/a.sif"}}, ["MN272"]),
    "sif with apptainer": ({"runtime": "apptainer", "image": {"sif": "/a.sif"}}, []),
    "sif with docker": ({"runtime": "docker", "image": {"sif": "/a.sif"}, "resources": SHM}, ["MN271"]),
    "sif on SkyPilot": ({"kind": "skypilot", "image": {"sif": "/a.sif"}}, ["MN271"]),
    "sqsh with pyxis": ({"runtime": "pyxis", "image": {"sqsh": "/a.sqsh"}}, []),
    "sqsh with apptainer": ({"runtime": "apptainer", "image": {"sqsh": "/a.sqsh"}}, ["MN271"]),
    "sif by a prefix": (
        {"runtime": "prefix", "image": {"sif": "/a.sif"}, "container": {"prefix": ["wrap"]}},
        [],
    ),
    "reference with a scheme": (ref("docker://verlai/verl:v1"), ["MN272"]),
    "reference of the daemon": (ref("dockerd://verlai/verl:v1"), ["MN272"]),
    "SkyPilot's spelling": (ref("docker:verlai/verl:v1"), ["MN272"]),
    "pyxis' own spelling": ({**ref("nvcr.io#nvidia/nemo-rl:v0.4.0"), "runtime": "pyxis"}, ["MN272"]),
    "registry with a port": (ref("host:5000/a/b:1"), []),
    "local registry": (ref("localhost/a:1"), []),
    "upper case": (ref("Verl/verl:v1"), ["MN272"]),
    "upper case in the tag": (ref("verlai/verl:V1"), []),
    "upper case in the registry": (ref("Host.example:5000/a:1"), []),
    "no tag": (ref("verlai/verl"), ["MN273w"]),
    "latest": (ref("verlai/verl:latest"), ["MN273w"]),
    "digest": (ref("verlai/verl@sha256:" + "0" * 64), []),
    "registry with a port, no tag": (ref("host:5000/a/b"), ["MN273w"]),
    "--nv for AMD": (
        {**ref("a/b:1"), "runtime": "apptainer", "variant": "rocm", "container": {"gpu": "nv"}},
        ["MN274"],
    ),
    "--rocm for NVIDIA": ({**ref("a/b:1"), "runtime": "apptainer", "container": {"gpu": "rocm"}}, ["MN274"]),
    "CDI with pyxis": ({"runtime": "pyxis", "image": {"sqsh": "/a"}, "container": {"gpu": "cdi"}}, ["MN274"]),
    **{
        f"{way} for {variant} with {runtime}": (
            {**ref("a/b:1"), "runtime": runtime, "variant": variant, "container": {"gpu": way}},
            [] if way in ways else ["MN274"],
        )
        for runtime, variant, ways in (
            ("apptainer", "cuda", {"auto", "nv", "devices"}),
            ("apptainer", "rocm", {"auto", "rocm", "devices"}),
            ("docker", "cuda", {"auto", "nv", "cdi"}),
            ("docker", "rocm", {"auto", "devices"}),
            ("podman", "cuda", {"auto", "cdi"}),
            ("podman", "rocm", {"auto", "devices"}),
            ("pyxis", "cuda", {"auto"}),
            ("pyxis", "rocm", {"auto"}),
        )
        for way in ("auto", "nv", "rocm", "devices", "cdi")
    },
    "bucket with apptainer": ({**ref("a/b:1"), **mount(source="s3://bucket/x"), "runtime": "apptainer"}, ["MN279"]),
    "CDI with docker": ({**ref("a/b:1"), "container": {"gpu": "cdi"}}, []),
    "GPUs by a client's own option": (options("podman", "--gpu", container={"gpu": "none"}), []),
    "GPUs by docker's own option": (options("docker", "--gpus", "device=0", container={"gpu": "none"}), []),
    "another option, and no GPUs": (options("podman", "--cap-add=SYS_NICE", container={"gpu": "none"}), ["MN274"]),
    "GPUs that the container cannot see": ({**ref("a/b:1"), "container": {"gpu": "none"}}, ["MN274"]),
    "docker: own network": (options("docker", "--network=bridge"), ["MN275"]),
    "docker: own network, short": (options("docker", "--net", "bridge"), ["MN275"]),
    "docker: detached": (options("docker", "-d"), ["MN275"]),
    "docker: named": (options("docker", "--name", "verl"), ["MN275"]),
    "docker: gpus": (options("docker", "--gpus=all"), ["MN275"]),
    "docker: gpus without GPUs": (options("docker", "--gpus=all", resources={"gpus": 0}), []),
    "podman: user namespace": (options("podman", "--userns=keep-id:uid=1000"), []),
    "podman: user namespace, typed user": (options("podman", "--userns=host", container={"user": "host"}), ["MN275"]),
    "podman: the same in two words": (options("podman", "--userns", "host", container={"user": "host"}), ["MN275"]),
    "docker: user namespace": (options("docker", "--userns=host", container={"user": "host"}), []),
    "docker: shm, typed too": (options("docker", "--shm-size=1g", resources={"shm": "128G"}), ["MN275"]),
    "docker: shm, only raw": (options("docker", "--shm-size=1g", resources={"shm": None}), []),
    "docker: the host's shm": (options("docker", "--ipc=host", resources={"shm": None}), []),
    "docker: no shm": (options("docker", resources={"shm": None}), ["MN289w"]),
    "docker: variable": (options("docker", "-e", "A=1", env={"A": "2"}), ["MN275"]),
    "docker: another variable": (options("docker", "-e", "B=1", env={"A": "2"}), []),
    "docker: secret by name": (options("docker", "--env=K", secrets={"K": {}}), ["MN275"]),
    "docker: mount over a mount": (options("docker", "-v", "/x:/data:ro", **mount()), ["MN275"]),
    "docker: mount, long form": (options("docker", "--mount=type=bind,source=/x,target=/data", **mount()), ["MN275"]),
    "docker: another mount": (options("docker", "-v", "/x:/y", **mount()), []),
    "docker: privileged": (options("docker", "--privileged"), ["MN276w"]),
    "docker: what sites need": (
        options("docker", "--cap-add=SYS_PTRACE", "--security-opt", "seccomp=unconfined", "--group-add", "video"),
        [],
    ),
    "podman: workdir": (options("podman", "-w", "/x", workdir="/y"), ["MN275"]),
    "apptainer: nv": (options("apptainer", "--nv"), ["MN275"]),
    "apptainer: clean environment": (options("apptainer", "-e"), ["MN275"]),
    "apptainer: writable": (options("apptainer", "--writable-tmpfs"), ["MN275"]),
    "apptainer: bind over the code": (
        options("apptainer", "--bind", "/x:/w", code={"path": ".", "to": "/w"}),
        ["MN275"],
    ),
    "apptainer: bind in a list": (options("apptainer", "-B", "/a:/b,/x:/data", **mount()), ["MN275"]),
    "apptainer: contained": (options("apptainer", "--containall"), ["MN276w"]),
    "apptainer: what sites need": (options("apptainer", "--no-mount", "hostfs", "--fakeroot"), []),
    "pyxis: image": (options("pyxis", "--container-image=x"), ["MN275"]),
    "pyxis: mounts": (options("pyxis", "--container-mounts=/opt:/opt"), ["MN275"]),
    "pyxis: mounts in two words": (options("pyxis", "--container-mounts", "/opt:/opt"), ["MN275"]),
    "pyxis: home": (options("pyxis", "--no-container-mount-home"), ["MN275"]),
    "mount over the root": (mount(target="/"), ["MN277"]),
    "mount over /usr": (mount(target="/usr/"), ["MN277"]),
    "mount below /usr": (mount(target="/usr/local/data"), []),
    "mount over /dev/shm": (mount(target="/dev/shm"), ["MN277"]),
    "workdir of the node": ({"workdir": "${{ env.HOME }}/verl"}, []),
    "workdir with a variable": ({"workdir": "/scratch/$USER"}, ["MN297"]),
    "workdir with what is almost a placeholder": ({"workdir": "/scratch/${vars.x}"}, ["MN297"]),
    "workdir at home": ({"workdir": "~/verl"}, ["MN297"]),
    "sif with a variable": ({"runtime": "apptainer", "image": {"sif": "$HOME/a.sif"}}, ["MN297"]),
    **{
        f"{runtime}: mount over the job's folder": (options(runtime, **mount(target="/tmp")), ["MN277"])
        for runtime in ("apptainer", "docker", "podman", "pyxis")
    },
    "mount over what holds the job's folder": (
        options("apptainer", ray={"temp_dir": "/scratch/tmp"}, **mount(target="/scratch/")),
        ["MN277"],
    ),
    "mount over a folder that the job's is not in": (
        options("apptainer", ray={"temp_dir": "/scratch"}, **mount(target="/tmp")),
        [],
    ),
    "mount beside the job's folder": (options("docker", **mount(target="/tmp/data")), []),
    "two mounts": (
        {"mounts": [{"source": "/a", "target": "/data"}, {"source": "/b", "target": "/data/"}]},
        ["MN278"],
    ),
    "mount and code": ({**mount(target="/w"), "code": {"path": ".", "to": "/w"}}, ["MN278"]),
    "mount in a mount": ({"mounts": [{"source": "/a", "target": "/d"}, {"source": "/b", "target": "/d/x"}]}, []),
    "bucket on Slurm": (mount(source="s3://bucket/x"), ["MN279"]),
    "bucket on SkyPilot": (mount(source="s3://bucket/x", kind="skypilot"), []),
    "home as a source": (mount(source="~/data"), ["MN297"]),
    "home as a source on SkyPilot": (mount(source="~/data", kind="skypilot"), []),
    "home of the node": (mount(source="${{ env.HOME }}/data"), []),
    "variable in a source": (mount(source="$SCRATCH/data"), ["MN297"]),
    "variable inside a source": (mount(source="/scratch/${USER}/data"), ["MN297"]),
    "relative source": (mount(source="data"), ["MN279"]),
    "colon in a source": (options("docker", **mount(source="/a:b")), ["MN253"]),
    "colon in a target": (options("podman", **mount(target="/a:b")), ["MN253"]),
    "colon in a mount that nobody makes": (mount(source="/a:b", target="/c:d"), []),
    "comma for docker": (options("docker", **mount(source="/a,b")), []),
    "comma for apptainer": (options("apptainer", **mount(source="/a,b")), ["MN253"]),
    "backslash for apptainer": (options("apptainer", **mount(target="/a\\b")), ["MN253"]),
    "blank for apptainer": (options("apptainer", **mount(source="/a b")), []),
    "blank for pyxis": (options("pyxis", **mount(source="/a b")), ["MN253"]),
    "substitution for pyxis": (options("pyxis", **mount(target="/a`b`")), ["MN253"]),
    "mount without a target": (options("docker", mounts=[{"source": "/data", "target": "/data"}]), []),
    "mount of a volume without a target": (
        {"kind": "dstack", "mounts": [{"source": "vol", "target": ""}]},
        ["MN277"],
    ),
    "mount at a place that only the node knows, on dstack": (
        {"kind": "dstack", "mounts": [{"source": "/data", "target": "${{ env.SCRATCH }}/x"}]},
        ["MN277"],
    ),
    "mount at a place that only the node knows, on SkyPilot": (
        {"kind": "skypilot", "mounts": [{"source": "/data", "target": "${{ env.SCRATCH }}/x"}]},
        ["MN277"],
    ),
    "mount below the home, on SkyPilot": (
        {"kind": "skypilot", "mounts": [{"source": "/data", "target": "${{ env.HOME }}/x"}]},
        [],
    ),
    "path of the node for pyxis": (options("pyxis", **mount(source="${{ env.HOME }}/data")), []),
    "code with a colon": (options("docker", code={"path": ".", "to": "/a:b"}), ["MN253"]),
    "log folder with a blank for pyxis": (options("pyxis", logs={"dir": "my logs", "driver": "x.log"}), ["MN253"]),
    "log folder that is not mounted": (options("pyxis", logs={"dir": "my logs"}), []),
    "sif that looks like an option": ({"runtime": "apptainer", "image": {"sif": "-x.sif"}}, ["MN255"]),
    "prefix that looks like an option": ({"runtime": "prefix", "container": {"prefix": ["-x"]}}, ["MN255"]),
    "long path": (mount(source="/" + "a" * 4095), ["MN295"]),
    "longest path": (mount(source="/" + "a" * 4094), []),
    "many mounts for pyxis": (
        options("pyxis", mounts=[{"source": f"/{'a' * 1000}", "target": f"/{n}"} for n in range(132)]),
        ["MN295"],
    ),
    "loopback": ({"network": {"interface": "lo"}}, ["MN280"]),
    "container bridge": ({"network": {"interface": "docker0"}}, ["MN280"]),
    "compose's bridge": ({"network": {"interface": "br-0123456789ab"}}, ["MN280"]),
    "InfiniBand": ({"network": {"interface": "ib0"}}, []),
    "bridge of the site": ({"network": {"interface": "br0"}}, []),
    "VLAN": ({"network": {"interface": "eth0.100"}}, []),
    "list of interfaces": ({"network": {"interface": "eth0,eth1"}}, ["MN280"]),
    "no range": ({"network": {"cidr": "10.0.0"}}, ["MN280"]),
    "range of the other family": ({"network": {"family": "ipv6", "cidr": "10.0.0.0/8"}}, ["MN280"]),
    "range": ({"network": {"cidr": "10.1.2.3/8"}}, []),
    "range of loopback": ({"network": {"cidr": "127.0.0.0/8"}}, ["MN280"]),
    "range of link-local": ({"network": {"cidr": "fe80::/10"}}, ["MN280"]),
    "range of one": ({"network": {"cidr": "10.1.2.3/32"}}, ["MN280"]),
    "two ways to choose": ({"network": {"cidr": "10.0.0.0/8", "interface": "ib0"}}, ["MN280"]),
}


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


@pytest.mark.parametrize("scheme", ["", "docker://"])
def test_the_hint_for_the_spelling_of_pyxis_is_a_reference(findings, scheme):
    """enroot splits the registry from the image with ``#``, and mngen writes that one itself."""
    given = {**ref(f"{scheme}nvcr.io#nvidia/nemo-rl:v0.4.0"), "runtime": "pyxis"}
    (found,) = findings(**given)
    assert "'nvcr.io/nvidia/nemo-rl:v0.4.0'" in (found.hint or "")
    assert findings(**{**given, **ref("nvcr.io/nvidia/nemo-rl:v0.4.0"), "runtime": "pyxis"}) == []
