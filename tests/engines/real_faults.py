"""Everything that stands in the way of a build or a push, caused for real: each is told in one line, with a hint."""

import base64
import json
import time

import pytest
import stand_ins
from bench import FRONT, Bench, image
from room import LOCKED, PLAIN, ROOT, UNTRUSTED, USER

UNIQUE = '  steps: [{run: "echo %s >/opt/which"}]'


def told(bench: Bench, *words: str) -> tuple[str, str]:
    """Kind and message of a build that fails; the same message and a hint are on stderr."""
    said = bench.mngen("build-image", "--format", "json", *words, status=3)
    error = json.loads(said.out)["error"]
    assert f"error: {error['message']}\nhint: {error['hint']}\n" in said.err
    assert "\n" not in error["message"]
    return error["kind"], error["message"]


LEVELS = {"buildx": "buildkit", "podman": "podman", "sdk": "classic"}
# What each engine says of a failure is read by code of its own, but all of them meet the same registry and waits.
ALL = pytest.mark.only_all
EACH = ["buildx", *(pytest.param(each, marks=ALL) for each in ("podman", "sdk"))]


@pytest.mark.parametrize("engine", EACH)
def real_a_push_that_a_second_try_helps(bench: Bench, engine: str) -> None:
    """Busy, unable and gone once each: the image arrives all the same."""
    for number, fault in enumerate(({"status": 503}, {"status": 429}, {"reset": True})):
        text = image(f"{FRONT}/faults/{engine}-{number}", more=f"  builder: {LEVELS[engine]}\n{UNIQUE % engine}")
        bench.write("manifest.yaml", text)
        bench.render()
        bench.fault(match="PUT .*/manifests/", times=1, **fault)
        (made,) = bench.build("--push")["images"]
        assert made["names"][0]["digest"].startswith("sha256:")


@pytest.mark.parametrize("engine", EACH)
def real_a_tag_that_must_not_move(bench: Bench, engine: str) -> None:
    """The registry refuses another image under the same tag; no second try is made."""
    repository = f"{FRONT}/faults/immutable-{engine}"
    for number in ("one", "two"):
        bench.write("manifest.yaml", image(repository, more=f"  builder: {LEVELS[engine]}\n{UNIQUE % number}"))
        bench.render()
        if number == "one":
            bench.build("--push")
    began = time.monotonic()
    kind, message = told(bench, "--push")
    assert kind == "tag-immutable"
    assert f"`{repository}:1`" in message
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("engine", EACH)
def real_a_push_that_no_second_try_helps(bench: Bench, engine: str) -> None:
    """A login that may not push here, and one that has expired; the registry is asked to take the manifest once."""
    login = base64.b64encode(b"somebody:something").decode()
    bench.write("docker/config.json", json.dumps({"auths": {FRONT: {"auth": login}}}))
    bench.env |= {"DOCKER_CONFIG": f"{bench.folder}/docker", "REGISTRY_AUTH_FILE": f"{bench.folder}/docker/config.json"}
    bench.write("manifest.yaml", image(f"{FRONT}/faults/denied-{engine}", more=f"  builder: {LEVELS[engine]}"))
    bench.render()
    for message, kind in [
        ("requested access to the resource is denied", "push-denied"),
        ("Your authorization token has expired. Reauthenticate and try again.", "login-refused"),
    ]:
        bench.fault(match="PUT .*/manifests/", times=1, status=403, code="DENIED", message=message)
        found, told_of = told(bench, "--push")
        assert found == kind, told_of
        assert FRONT in told_of


@pytest.mark.parametrize("engine", ["buildx", "podman", "sdk"])
def real_logins(bench: Bench, engine: str) -> None:
    """No login, and one with a wrong password, for a push and for a base."""
    bench.env |= {"DOCKER_CONFIG": f"{bench.folder}/docker", "REGISTRY_AUTH_FILE": f"{bench.folder}/docker/config.json"}
    bench.write("docker/config.json", "{}")  # podman wants a file that is named to be there
    bench.write("manifest.yaml", image(f"{LOCKED}/faults/{engine}", more=f"  builder: {LEVELS[engine]}"))
    bench.render()
    assert told(bench, "--push")[0] == "login-missing"
    wrong = base64.b64encode(f"{USER}:not-the-password".encode()).decode()
    bench.write("docker/config.json", json.dumps({"auths": {LOCKED: {"auth": wrong}}}))
    kind, message = told(bench, "--push")
    assert kind == "login-refused"
    assert "not-the-password" not in message
    bench.write("manifest.yaml", image(f"{PLAIN}/x", base=f"{LOCKED}/base:1", more=f"  builder: {LEVELS[engine]}"))
    bench.render()
    assert told(bench)[0] == "login-refused"


@pytest.mark.parametrize("engine", EACH)
def real_bases_and_registries_that_are_not_there(bench: Bench, engine: str) -> None:
    """An unknown tag, a certificate that nobody knows, an address without a registry."""
    for base, repository, words, kind in [
        (f"{PLAIN}/stand-in/tiny:none", f"{PLAIN}/x", [], "base-unknown"),
        (f"{UNTRUSTED}/base:1", f"{PLAIN}/x", [], "certificate"),
        (stand_ins.TINY, f"{UNTRUSTED}/x", ["--push"], "certificate"),
        (stand_ins.TINY, "127.0.0.1:5999/x", ["--push"], "registry-unreachable"),
    ]:
        bench.write("manifest.yaml", image(repository, base=base, more=f"  builder: {LEVELS[engine]}"))
        bench.render()
        found, message = told(bench, *words)
        assert found == kind, message
        assert (base if not words else repository).partition("/")[0] in message


def real_engines_that_are_not_there(bench: Bench) -> None:
    """No socket, one that may not be used, one of an engine without BuildKit; no program."""
    bench.write("manifest.yaml", image(f"{PLAIN}/x"))
    bench.render()
    for host, kind in [("unix:///run/none.sock", "engine-unreachable"), ("unix:///run/podman.sock", "no-buildkit")]:
        bench.env["DOCKER_HOST"] = host
        found, message = told(bench)
        assert found == kind
        assert host in message
    bench.room.run("bash", "-c", "mkdir bin; ln -s /usr/bin/bash bin/", cwd=bench.folder)
    bench.env["PATH"] = f"{ROOT}/.venv/bin:{bench.folder}/bin"
    assert told(bench)[0] == "engine-missing"
    del bench.env["PATH"]
    bench.env["DOCKER_HOST"] = "unix:///run/docker.sock"
    bench.room.run("chmod", "600", "/run/docker.sock")
    bench.user = "alice"
    bench.room.run("chown", "-R", "alice", bench.folder)
    assert told(bench)[0] == "engine-denied"


def real_a_full_disk(bench: Bench) -> None:
    """Podman's folder has room for less than the base."""
    bench.write("manifest.yaml", image(f"{PLAIN}/x", base=f"{PLAIN}/{stand_ins.CUDA}", more="  builder: podman"))
    bench.render()
    script = f"mkdir -p {bench.folder}/small && mount -t tmpfs -o size=64m tmpfs {bench.folder}/small"
    bench.room.run("bash", "-c", script)
    root = f"{bench.folder}/small"
    bench.write("storage.conf", f'[storage]\ndriver = "overlay"\ngraphroot = "{root}/r"\nrunroot = "{root}/rr"\n')
    bench.env |= {"CONTAINERS_STORAGE_CONF": f"{bench.folder}/storage.conf", "TMPDIR": root}
    assert told(bench)[0] == "disk-full"


@ALL
def real_a_full_disk_of_docker(bench: Bench) -> None:
    """An engine with room for less than the base, through both of its builders."""
    bench.env["DOCKER_HOST"] = bench.engine("small", size="64m")
    for engine in ("buildx", "sdk"):
        more = f"  builder: {LEVELS[engine]}"
        bench.write("manifest.yaml", image(f"{PLAIN}/x", base=f"{PLAIN}/{stand_ins.CUDA}", more=more))
        bench.render()
        assert told(bench)[0] == "disk-full"


@pytest.mark.parametrize("engine", ["buildx", "podman", "sdk", pytest.param("apptainer", marks=ALL)])
@pytest.mark.parametrize(("name", "status"), [pytest.param("INT", 130, marks=ALL), ("TERM", 143)])
def real_a_build_that_is_interrupted_ends_in_the_engine_too(bench: Bench, engine: str, name: str, status: int) -> None:
    """Ctrl-C, and what a batch system sends: its status, and the step's process is gone."""
    length = f"86{len(engine)}{len(name)}"
    more = f'  builder: {LEVELS.get(engine, "buildkit")}\n  steps: ["sleep {length}"]'
    bench.user = "alice" if engine == "apptainer" else "root"
    bench.write("manifest.yaml", image(f"{PLAIN}/x", more=more))
    bench.render()
    script = f"""
env --default-signal=INT mngen build-image --builder {engine} >build.log 2>&1 & builder=$!
running() {{ ps -eo args | grep -q "^sleep {length}"; }}
for ((n = 0; n < 300; n++)); do running && break; sleep 0.1; done
running || {{ echo never ran; cat build.log; exit 1; }}
kill -{name} "${{builder}}"
wait "${{builder}}"; echo "status $?"
for ((n = 0; n < 200; n++)); do running || break; sleep 0.1; done
running && echo still there
exit 0
"""
    # A background job of a script ignores INT unless it is told not to.
    done = bench.room.run("timeout", "90", "bash", "-c", script, user=bench.user, cwd=bench.folder)
    assert done.stdout == f"status {status}\n", done.stdout + done.stderr


def real_what_failed_is_said_of_the_right_line(bench: Bench) -> None:
    """The manifest's own line, for each engine, in an image of two stages."""
    steps = 'steps: ["true", "echo so it ends; exit 7"]'
    stages = f'  stages: [{{name: tools, base: "{stand_ins.TINY}", {steps}}}]'
    for level in ("buildkit", "podman", "classic"):
        more = f"  builder: {level}\n{stages}\n  files: [{{source: /etc/passwd, target: /opt/p, from: tools}}]"
        bench.write("manifest.yaml", image(f"{PLAIN}/x", more=more))
        bench.render()
        error = bench.build(status=1)["error"]
        assert error["tail"] == ["so it ends"], level
        assert error["finding"]["message"].startswith("image.stages.0.steps.1: `RUN "), level
        assert "ended with status 7" in error["finding"]["message"], level
        assert error["finding"]["span"]["line"] == 8, level
