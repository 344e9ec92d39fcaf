"""Examples and small images, built and pushed by each engine, and pinned to what the registry says."""

import re
import time

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
        print(f"{made['variant']}: {steps['total']} steps again, all cached, {made['seconds']} s")  # noqa: T201 - a figure for who reads the run
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
    before = stand_ins.layers(bench.room, f"{repository}:1")
    (again,) = bench.build(*words)["images"]
    assert again["names"][0]["digest"] == made["names"][0]["digest"]
    bench.write("user/code", "2\n")
    (changed,) = bench.build(*words)["images"]
    if engine != "sdk-on-podman":  # there podman sends a step's name and what it says of its cache in any order
        assert (again["steps"]["cached"], again["steps"]["ran"]) == (again["steps"]["total"], [])
        ran = [step.split("] ")[-1].split(" ")[1] for step in changed["steps"]["ran"] if "COPY" in step]
        assert "early/" not in ran
        assert "user/" in ran
    # The registry says the same: the base's layer and that of the early files are the old ones, the rest is new.
    after = stand_ins.layers(bench.room, f"{repository}:1")
    kept = [old == new for old, new in zip(before, after, strict=True)]
    assert kept[:2] == [True, True]
    assert kept[2] is False
    print(f"{engine}: all again in {again['seconds']} s; {kept.count(True)} of {len(kept)} layers kept")  # noqa: T201 - a figure for who reads the run


@pytest.mark.only_all
@pytest.mark.parametrize("engine", ["buildx", "podman"])
def real_a_cache_goes_by_the_registry(bench: Bench, engine: str) -> None:
    """What one machine has built, another one takes from there: `--cache-to`, `--cache-from`, `--platform`."""
    level = {"buildx": "buildkit", "podman": "podman"}[engine]
    repository = f"{PLAIN}/out/cached-{engine}"
    # Docker's own builder writes what others need of its cache into the image alone; podman keeps a repository for it.
    to, source = {
        "buildx": ("type=inline", f"type=registry,ref={repository}:1"),
        "podman": (f"{PLAIN}/cache/podman", f"{PLAIN}/cache/podman"),
    }[engine]
    bench.write("manifest.yaml", image(repository, more=f"  builder: {level}\n{LAYERS}"))
    for name in ("early", "user"):
        bench.write(f"{name}/code", f"cached {engine}\n")
    bench.render()
    words = ["--builder", engine, "--platform", "linux/amd64"]
    (first,) = bench.build(*words, "--push", "--cache-to", to)["images"]
    assert [step for step in first["steps"]["ran"] if "COPY" in step]
    program = engine.replace("buildx", "docker")
    bench.room.run(program, "image", "rm", "--force", f"{repository}:1", env=bench.env)
    bench.room.run(
        program, *{"docker": ["builder", "prune", "--all"], "podman": ["image", "prune"]}[program], "--force"
    )
    (again,) = bench.build(*words, "--cache-from", source)["images"]
    assert [step for step in again["steps"]["ran"] if "COPY" in step] == []


@pytest.mark.parametrize("engine", ["docker", pytest.param("podman", marks=pytest.mark.only_all)])
def real_a_registry_with_tls_and_a_login(bench: Bench, engine: str) -> None:
    """Push where a password is asked for, and find neither it nor a build secret in what is left."""
    file = f"{bench.folder}/docker/config.json"
    bench.env |= {"DOCKER_CONFIG": f"{bench.folder}/docker", "REGISTRY_AUTH_FILE": file}
    bench.write("docker/config.json", "{}")
    bench.room.run(engine, "login", "--username", USER, "--password-stdin", LOCKED, stdin=PASSWORD, env=bench.env)
    secret = '  steps: [{run: "test -s /run/secrets/token; cat /run/secrets/token", secrets: [token]}]'
    level = {"docker": "buildkit", "podman": "podman"}[engine]
    reference = f"{LOCKED}/out/locked-{engine}:1"
    bench.write("manifest.yaml", image(reference.removesuffix(":1"), more=f"  builder: {level}\n{secret}"))
    bench.write("token", f"{SECRET}\n")
    bench.render()
    words = ["build-image", "-v", "--push", "--format", "json", "--secret", "id=token,src=token"]
    said = bench.mngen(*words)
    (made,) = stand_ins.document(said.out)["images"]
    curl = ["--user", f"{USER}:{PASSWORD}"]
    assert made["names"][0]["digest"] == stand_ins.digest(bench.room, reference, *curl)
    assert "***" in said.err
    search = f"{engine} history --no-trunc {reference}; {engine} image inspect {reference};"
    search += f" {engine} save {reference} | tar --extract --to-stdout --file=- >all; wc --bytes <all;"
    search += f" grep --text --count --regexp={SECRET} --regexp={PASSWORD} all;"
    search += f" cat {bench.folder}/mngen.lock {bench.folder}/out/*/*"
    found = bench.room.run("bash", "-c", search, cwd=bench.folder, env=bench.env, check=False).stdout
    for text in (found, said.out, said.err):
        assert SECRET not in text
        assert PASSWORD not in text
    assert re.search(r"\n[0-9]{6,}\n0\n", found)  # all of it was searched


PACKAGES = """\
  pip: {packages: ["ray[default]==2.52.1", hf_transfer]}
  git: [{url: "https://github.com/volcengine/verl", ref: v0.6.0, path: /opt/verl, pip: [--no-deps, -e, .]}]
"""


def real_podman_gives_the_same_layers_at_a_given_time(bench: Bench) -> None:
    """With SOURCE_DATE_EPOCH; Docker's own store keeps the files' times, so there the image is traceable only."""
    bench.env["SOURCE_DATE_EPOCH"] = "1700000000"
    found = []
    for number in (1, 2):
        repository = f"{PLAIN}/out/again-{number}"
        bench.write("manifest.yaml", image(f"{PLAIN}/out/again", more=f"  builder: podman\n{LAYERS}"))
        for name in ("early", "user"):
            bench.write(f"{name}/code", "1\n")
        bench.render()
        bench.build("--no-cache", "--push", "--tag", f"{repository}:1")
        found.append(stand_ins.layers(bench.room, f"{repository}:1"))
    assert found[0] == found[1]
    assert len(found[0]) > 3


@pytest.mark.only_all
def real_one_build_and_a_pull_beside_a_build_on_every_node(bench: Bench) -> None:
    """Nodes that build the same file have images of their own; those that pull a digest have one."""
    bench.write("manifest.yaml", image(f"{PLAIN}/out/nodes", base=f"{PLAIN}/{stand_ins.CUDA}", more=PACKAGES))
    bench.render()
    nodes = [bench.engine(f"node{number}", size="2g") for number in (1, 2)]
    took: dict[str, list[float]] = {"build": [], "pull": []}

    def on(node: str, what: str, *command: str) -> str:
        began = time.monotonic()
        bench.room.run("docker", *command, cwd=bench.folder, env={"DOCKER_HOST": node})
        took[what].append(time.monotonic() - began)
        show = ["docker", "image", "inspect", "--format", "{{.Id}}", command[-1] if what == "pull" else "own"]
        return bench.room.run(*show, env={"DOCKER_HOST": node}).stdout

    build = ["buildx", "build", "--tag", "own", "--file", "out/images/cuda/Dockerfile", "."]
    assert len({on(node, "build", *build) for node in nodes}) == len(nodes)
    for node in nodes:
        bench.room.run("docker", "system", "prune", "--all", "--force", env={"DOCKER_HOST": node})
    (made,) = bench.build("--no-cache", "--push")["images"]
    pinned = f"{PLAIN}/out/nodes@{made['names'][0]['digest']}"
    assert len({on(node, "pull", "pull", "--quiet", pinned) for node in nodes}) == 1
    print({"once": made["seconds"], **{what: [round(each, 1) for each in found] for what, found in took.items()}})  # noqa: T201 - a figure for who reads the run


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
