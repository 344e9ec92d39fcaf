"""Examples and small images, built and pushed by each engine, and pinned to what the registry says."""

import pytest
import stand_ins
from bench import Bench, example, image
from room import LOCKED, PASSWORD, PLAIN, ROOM, ROOT, USER, Room

SECRET = "a-secret-of-the-build"
# The registry here, and a stand-in whose Python is that of Debian 12.
HERE = {
    "registry.example.org/rl/verl": f"{PLAIN}/rl/verl",
    "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1": stand_ins.ROCM,
}


def real_both_examples_are_built_pushed_and_run(bench: Bench) -> None:
    """The design's Dockerfiles, for CUDA and for ROCm, from bases under their own names."""
    for name, text in example("design").items():
        for there, here in HERE.items():
            text = text.replace(there, here)  # noqa: PLW2901 - the same text, for this place
        bench.write(name, text)
    bench.render()
    first = bench.build("--all", "--push")
    for made in first["images"]:
        (name,) = made["names"]
        assert name["digest"] == stand_ins.digest(bench.room, name["reference"])
        run = ["docker", "run", "--rm", "--network", "none", f"{PLAIN}/rl/verl@{name['digest']}"]
        program = "import hf_transfer, ray, verl; print(ray.__version__, verl.NAME)"
        assert bench.room.run(*run, "python3", "-c", program).stdout == "2.52.1 verl\n"
        contract = stand_ins.document(bench.room.run(*run, "cat", "/etc/mngen/image.json").stdout)
        assert contract["variant"] == made["variant"]
        seen = bench.mngen("inspect", name["reference"], "manifest.yaml").out
        assert contract["digest"] in seen
    torch = bench.mngen("inspect", f"{PLAIN}/rl/verl:0.6-rocm")
    assert "rocm" in torch.out
    again = bench.build("--all")
    for made in again["images"]:
        steps = made["steps"]
        assert (steps["cached"], steps["ran"]) == (steps["total"], [])
        assert steps["total"] > 8
        print(f"{made['variant']}: {steps['total']} steps again, all cached, {made['seconds']} s")  # noqa: T201
    # Launch files are pinned to what was pushed, and only they have changed.
    before = bench.room.run("cat", "out/images/cuda/Dockerfile", cwd=bench.folder).stdout
    bench.render()
    assert bench.room.run("cat", "out/images/cuda/Dockerfile", cwd=bench.folder).stdout == before
    digest = next(made["names"][0]["digest"] for made in first["images"] if made["variant"] == "cuda")
    assert f"{PLAIN}/rl/verl@{digest}" in bench.room.run("cat", "out/fleet/task.dstack.yml", cwd=bench.folder).stdout


LAYERS = """\
  files: [{source: early/, target: /opt/early}, {source: user/, target: /opt/user}]
  steps:
    - {name: work, run: "cat /opt/user/code >/opt/copy"}
"""


@pytest.mark.parametrize("engine", ["buildx", "podman", "sdk", "sdk-on-podman"])
def real_every_engine_builds_pushes_and_reuses(bench: Bench, engine: str) -> None:
    """One image by each engine: digest, cache, and a change of user code that repeats only what follows it."""
    level = {"buildx": "buildkit", "podman": "podman", "sdk": "classic", "sdk-on-podman": "podman"}[engine]
    if engine == "sdk-on-podman":
        bench.env["DOCKER_HOST"] = "unix:///run/podman.sock"
    words = ["--builder", engine.partition("-")[0], "--push"]
    repository = f"{PLAIN}/out/{engine}"
    bench.write("manifest.yaml", image(repository, more=f"  builder: {level}\n{LAYERS}"))
    for name in ("early", "user"):
        bench.write(f"{name}/code", "1\n")
    bench.render()
    (made,) = bench.build(*words, "--tag", "other")["images"]
    assert [name["reference"] for name in made["names"]] == [f"{repository}:1", f"{repository}:other"]
    for name in made["names"]:
        assert name["digest"] == stand_ins.digest(bench.room, name["reference"])
    lock = stand_ins.document(bench.room.run("cat", "mngen.lock", cwd=bench.folder).stdout)
    assert lock["pushed"][f"{repository}:1"]["digest"] == made["names"][0]["digest"]
    (again,) = bench.build(*words)["images"]
    assert engine == "sdk-on-podman" or again["steps"]["ran"] == []
    bench.write("user/code", "2\n")
    (changed,) = bench.build(*words)["images"]
    if engine != "sdk-on-podman":  # podman sends what it says of its cache out of step there
        ran = [step.split("] ")[-1].split(" ")[1] for step in changed["steps"]["ran"] if "COPY" in step]
        assert "early/" not in ran
        assert "user/" in ran
    assert changed["names"][0]["digest"] != made["names"][0]["digest"]


def real_a_registry_with_tls_and_a_login(bench: Bench) -> None:
    """Push where a password is asked for, and find neither it nor a build secret in what is left."""
    bench.env["DOCKER_CONFIG"] = f"{bench.folder}/docker"
    login = ["docker", "login", "--username", USER, "--password-stdin", LOCKED]
    bench.room.run(*login, stdin=PASSWORD, env=bench.env)
    secret = '  steps: [{run: "test -s /run/secrets/token; cat /run/secrets/token", secrets: [token]}]'
    bench.write("manifest.yaml", image(f"{LOCKED}/out/locked", more=secret))
    bench.write("token", f"{SECRET}\n")
    bench.render()
    words = ["build-image", "-v", "--push", "--format", "json", "--secret", "id=token,src=token"]
    said = bench.mngen(*words)
    (made,) = stand_ins.document(said.out)["images"]
    curl = ["--user", f"{USER}:{PASSWORD}"]
    assert made["names"][0]["digest"] == stand_ins.digest(bench.room, f"{LOCKED}/out/locked:1", *curl)
    assert "***" in said.err
    search = f"docker history --no-trunc {LOCKED}/out/locked:1; docker image inspect {LOCKED}/out/locked:1;"
    search += f" docker save {LOCKED}/out/locked:1 | tar --extract --to-stdout --file=- | grep --text --count {SECRET};"
    search += f" cat {bench.folder}/mngen.lock {bench.folder}/out/*/*"
    found = bench.room.run("bash", "-c", search, env=bench.env, check=False).stdout
    for text in (found, said.out, said.err):
        assert SECRET not in text
        assert PASSWORD not in text
    assert "\n0\n" in found


GUARDED = """\
  torch: {guard: true}
  apt: []
"""


@pytest.mark.parametrize(
    ("layer", "origin", "fields"),
    [
        ("pip packages", "pip.packages", '  pip: {packages: ["torch==2.8.0+cpu"]}'),
        (
            "git verl",
            "git.0",
            '  git: [{url: "https://github.com/volcengine/verl", ref: replaces-torch, path: /opt/verl, pip: ["."]}]',
        ),
        ("step swap", "steps.0", '  steps: [{name: swap, run: "python3 -m pip install torch==2.8.0+cpu"}]'),
    ],
)
def real_the_guard_names_the_layer_that_replaced_torch(bench: Bench, layer: str, origin: str, fields: str) -> None:
    """A layer brings another build of the same torch, which no constraint can see."""
    text = image(f"{PLAIN}/out/guard", base=stand_ins.WITH_TORCH, more=fields).replace("guard: false", "guard: true")
    bench.write("manifest.yaml", text)
    bench.render()
    error = bench.build(status=1)["error"]
    assert error["finding"]["message"].startswith(f"image.{origin}: ")
    said = "replaced torch: it was 2.8.0+cu128 (CUDA 12.8), now it is 2.8.0+cpu (CUDA None)"
    assert error["tail"][-1] == f"mngen: layer '{layer}' {said}"


CHECK = r"""
cd "$1"
find "$2/golden" -path '*/out/images/*' -name Dockerfile | while read -r each; do
  sed '/^FROM /s/@sha256:[0-9a-f]*//' "${each}" >checked
  bases=()
  while read -r _ base _; do
    [[ ${base} != *:* ]] || bases+=(--build-context "${base}=docker-image://stand-in")
  done < <(grep '^FROM ' checked)
  docker buildx build --check "${bases[@]}" --file checked context >said 2>&1 && grep -q 'no warnings found' said ||
    { echo "${each}"; cat said; }
done
"""


def real_docker_has_no_remark_on_any_example(room: Room) -> None:
    """`docker build --check` of every Dockerfile that is checked in."""
    done = room.run("bash", "-c", CHECK, "check", ROOM, str(ROOT))
    assert (done.stdout, done.stderr) == ("", "")
