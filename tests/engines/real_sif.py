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


MIRRORED = f"""\
apiVersion: mngen/v1
name: small
mirrors:
  images: {{docker.io: "{PLAIN}"}}
  apt: {{deb.debian.org: "file:///srv/apt"}}
  git: {{github.com: "file:///srv/git"}}
image:
  repository: {PLAIN}/out/mirrored
  variants: {{cuda: {{tag: "1", base: "{stand_ins.CUDA}", gpu_arch: ["9.0"]}}}}
  apt: [git, iproute2]
  pip: {{packages: ["ray[default]==2.52.1"]}}
  git: [{{url: "git@github.com:volcengine/verl", ref: v0.6.0, path: /opt/verl, pip: [--no-deps, -e, .]}}]
  stages:
    - {{name: tools, base: "{stand_ins.TINY}", steps: ["printf '#!/bin/sh\\necho tool\\n' >/opt/tool"]}}
  files:
    - {{source: apt/, target: /srv/apt/debian, early: true}}
    - {{source: site.list, target: /etc/apt/sources.list.d/site.list, early: true}}
    - {{source: user/, target: /opt/user}}
    - {{source: /opt/tool, target: /opt/tools/bin/tool, from: tools, mode: "0755"}}
  env: {{build: {{MAX_JOBS: 3}}, image: {{GREETING: hello there}}, prepend: {{PATH: [/opt/tools/bin]}}}}
  steps:
    - git clone --quiet https://github.com/volcengine/verl /opt/again && git -C /opt/again remote get-url origin >/opt/from
  self_test:
    - {{run: 'test "${{GREETING}}" = "hello there"; tool; cat /opt/user/code; python3 -c "import ray, verl"'}}
driver: {{command: python3 train.py}}
resources: {{shm: 1G}}
targets: {{a: {{kind: slurm, runtime: docker}}}}
"""
TREE = (
    "find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path /root -o -path /home "
    "-o -path /.singularity.d -o -path /var/log -o -path /var/cache -o -path /var/lib/apt -o -name .git -o -name __pycache__ \\) -prune "
    "-o -type d -printf '%m %p\\n' -o -printf '%y %m %s %p %l\\n' | grep -vE ' /(etc/(hosts|passwd|group|resolv.conf)|singularity|environment) ' "
    "| sort -k 3; env | grep -vE '^(APPTAINER|SINGULARITY|PWD|PS1|PROMPT|USER|HOME|SHLVL|_=)' | sort"
)
"""All that is there, with modes and sizes, and the environment; without what Apptainer puts in when it starts, lists of
packages, which a build by Docker keeps in its cache, and Python's own cache, which a self-test in a build fills."""


@pytest.mark.only_all
def real_a_description_of_everything_gives_the_same_files_from_mirrors(alice: Bench) -> None:
    """Stages, packages, sources, files and steps, with public names: by Docker and from the definition file."""
    alice.write("manifest.yaml", MIRRORED)
    alice.write("apt/Packages", "")
    alice.write("site.list", "deb [trusted=yes] http://deb.debian.org/debian ./\n")
    alice.render()
    trees = []
    for words in (["--sif"], ["--builder", "apptainer"]):
        (made,) = alice.build(*words)["images"]
        path = made["sif"]["path"]
        tested = alice.room.run("apptainer", "--quiet", "test", path, user="alice", cwd=alice.folder)
        assert tested.stdout == "tool\ncode\n"
        run = ["apptainer", "--quiet", "exec", "--contain", "--cleanenv", path, "bash", "-c"]
        facts = alice.room.run(*run, "cat /opt/from /etc/apt/sources.list.d/site.list", user="alice", cwd=alice.folder)
        assert facts.stdout == "file:///srv/git/volcengine/verl\ndeb [trusted=yes] file:///srv/apt/debian ./\n"
        trees.append(alice.room.run(*run, TREE, user="alice", cwd=alice.folder).stdout.splitlines())
    assert len(trees[0]) > 1000
    assert sorted(set(trees[0]) ^ set(trees[1])) == []


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
