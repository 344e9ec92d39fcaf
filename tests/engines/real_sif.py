"""SIFs, built by a user without privileges from a definition file and from images of engines and registries."""

import pytest
import stand_ins
from bench import Bench, image
from room import PLAIN

MORE = """\
  files: [{source: user/, target: /opt/user}]
  env: {image: {GREETING: hello there}}
  steps: [{run: "echo made >/opt/made"}]
  self_test: [{run: 'test "${GREETING}" = "hello there"; cat /opt/made /opt/user/code'}]
"""
FACTS = (
    "ls -ARgo --time-style=+ /opt /etc/mngen; cat /opt/made /opt/user/code; echo ${GREETING}; cat /etc/mngen/image.json"
)


@pytest.fixture
def alice(bench: Bench) -> Bench:
    """The same folder, used by somebody who may use Docker's socket but is nobody special."""
    bench.room.run("chmod", "666", "/run/docker.sock")
    bench.user = "alice"
    bench.write("user/code", "code\n")
    return bench


def inside(bench: Bench, path: str) -> str:
    """What a user finds in a SIF."""
    run = ["apptainer", "--quiet", "exec", "--contain", path, "bash", "-c", FACTS]
    return bench.room.run(*run, user="alice", cwd=bench.folder).stdout


def sif(alice: Bench, path: str) -> str:
    """What a user finds in a SIF whose self-test succeeds."""
    assert alice.room.run("apptainer", "--quiet", "test", path, user="alice", cwd=alice.folder).stdout == "made\ncode\n"
    return inside(alice, path)


def real_one_description_gives_the_same_image_on_every_way(alice: Bench) -> None:
    """From the definition, from Docker's store, from podman's, and from a registry by digest."""
    alice.write("manifest.yaml", image(f"{PLAIN}/out/sif", more=MORE))
    alice.render()
    (first,) = alice.build("--builder", "apptainer")["images"]
    facts = sif(alice, first["sif"]["path"])
    assert "made\ncode\nhello there\n" in facts
    for words, source in [
        (["--sif"], f"docker-daemon:{PLAIN}/out/sif:1"),
        (["--sif", "--push"], f"docker:{PLAIN}/out/sif@sha256:"),
    ]:
        (made,) = alice.build(*words)["images"]
        assert made["sif"]["source"].startswith(source)
        assert sif(alice, made["sif"]["path"]) == facts
        checked = alice.room.run("sha256sum", made["sif"]["path"], cwd=alice.folder).stdout.split()[0]
        assert checked == made["sif"]["sha256"]
        alice.mngen("inspect", made["sif"]["path"], "manifest.yaml")
    lock = stand_ins.document(alice.room.run("cat", "mngen.lock", cwd=alice.folder).stdout)
    assert lock["sif"]["out/images/cuda/small.sif"]["digest"] == f"sha256:{checked}"
    alice.write("manifest.yaml", image(f"{PLAIN}/out/sif", more=MORE.replace("hello there", "good day")))
    said = alice.mngen("inspect", "out/images/cuda/small.sif", "manifest.yaml", status=1)
    assert "error[MN608]: digest: " in said.err


def real_a_self_test_that_fails_leaves_no_sif(alice: Bench) -> None:
    """Apptainer's own status is said, with what the test printed."""
    alice.write("manifest.yaml", image(f"{PLAIN}/out/sif", more='  self_test: [{run: "echo not well; exit 5"}]'))
    alice.render()
    error = alice.build("--builder", "apptainer", status=1)["error"]
    assert error["tail"][-1] == "not well"
    assert "`%test` ended with status 5" in error["finding"]["message"]
    assert alice.room.run("ls", "out/images/cuda", cwd=alice.folder).stdout.split() == [
        "Dockerfile",
        "Dockerfile.dockerignore",
        "constraints.txt",
        "small.def",
    ]


def real_a_podman_image_becomes_a_sif(bench: Bench) -> None:
    """Through an archive, since Apptainer cannot read podman's store. Root may lack what a self-test here would ask for."""
    without_test = "".join(line for line in MORE.splitlines(keepends=True) if "self_test" not in line)
    bench.write("user/code", "code\n")
    bench.write("manifest.yaml", image(f"{PLAIN}/out/sif-of-podman", more=f"  builder: podman\n{without_test}"))
    bench.render()
    (made,) = bench.build("--sif")["images"]
    assert made["sif"]["source"].startswith("oci-archive:")
    bench.room.run("chmod", "--recursive", "a+rX", bench.folder)
    assert "made\ncode\nhello there\n" in inside(bench, made["sif"]["path"])
