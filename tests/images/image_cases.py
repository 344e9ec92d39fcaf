"""Descriptions of images that the tests of this folder share."""

from __future__ import annotations

from mngen.manifest.image import Env, FileCopy, GitSource, Image, Pip, Stage, Step, Torch, User

DIGEST = "sha256:" + "0123456789abcdef" * 4

HOSTILE = (
    "plain",
    "",
    "two words",
    "it's",
    '"quoted"',
    "$HOME ${HOME} $(touch /tmp/x)",
    "`touch /tmp/x`",
    "back\\slash",
    "ends in \\",
    '\\"',
    "\\\\",
    "{{ name }}",
    "{{{ name }}}",
    "# no comment",
    "<<EOF <<'EOF'",
    "a;b && c || d > e < f & g",
    "*?[x]~",
    "--option=value",
    "tab\there",
    "%files",
    "Bootstrap: docker",
    "trailing ",
    " leading",
    "!history",
    "ünï ☃",
    "a=b=c",
    "'",
    "''\"''\"",
    "\\n \\x27 \\047",
)
HOSTILE_LINES = (
    "true",
    "if true; then\n  echo 'a'   \n\nfi",
    "cat > /x <<EOF\n$HOME `x` \\\n# kept\nEOF",
    "  # comment first\n\ttab\n%files\n  %post -c x\nbootstrap: y\n{{ x }} {{{y}}}",
    "STEP\nEOF\nSTEP_2",
    'echo "$x" \'$y\' \\\\ \\" "\\$z" $\'\\t\' $((1<<2))',
    "a \\\n  b \\\n",
    "EOF <<'STEP'\nSTEP",
    "printf '%s\\n' 'don'\"'\"'t' | grep -v '#' # end",
)

CUDA = Image(
    variant="cuda",
    repository="registry.example.org/rl/verl",
    tag="0.6-cuda",
    base="nvidia/cuda:12.8.1-devel-ubuntu24.04",
    gpu_arch=("9.0", "10.0"),
    apt=("git", "iproute2"),
    torch=Torch(version="2.9.1", wheel_index="https://wheels.example.org/torch", packages=("torchvision==0.24.1",)),
    python="3.12",
    pip=Pip(
        packages=("ray[default]==2.52.1", "hf_transfer", "x>=1,<2"),
        no_build_isolation=("flash-attn==2.8.3",),
        constraints=("constraints-user.txt",),
    ),
    git=(
        GitSource(
            url="https://github.com/volcengine/verl",
            ref="v0.6.0",
            path="/opt/verl",
            pip=("--no-deps", "-e", "."),
            submodules=True,
            env={"MAX_JOBS": "8"},
        ),
    ),
    stages=(
        Stage(
            name="tools",
            base=f"debian:12.12-slim@{DIGEST}",
            apt=("build-essential",),
            env={"CFLAGS": "-O2 -g"},
            files=(FileCopy(source="tool.c", target="/src/tool.c"),),
            steps=(Step(run="cc $CFLAGS -o /usr/local/bin/tool /src/tool.c"),),
        ),
    ),
    files=(
        FileCopy(source="site-ca.crt", target="/usr/local/share/ca-certificates/site-ca.crt", early=True),
        FileCopy(source="conf/", target="/etc/verl"),
        FileCopy(source="entry.sh", target="/usr/local/bin/entry", mode="0755"),
        FileCopy(source="/usr/local/bin/tool", target="/usr/local/bin/tool", stage="tools"),
    ),
    env=Env(
        build={"MAX_JOBS": "32", "BOTH": "while building"},
        image={"HF_HUB_ENABLE_HF_TRANSFER": "1", "BOTH": "at run time"},
        prepend={"PATH": ("/opt/tools/bin",), "LD_LIBRARY_PATH": ("/opt/a/lib", "/opt/b/lib")},
    ),
    steps=(Step(run="make -C /opt/verl extras", name="extras"), Step(run="ldconfig\necho 'done'\n")),
    user=User(name="trainer", uid=1000, gid=1000),
    workdir="/workspace",
    labels={"org.opencontainers.image.title": 'verl "0.6"'},
    self_test=(Step(run="python3 -c 'import ray'"), Step(run="test -d /opt/verl", name="checkout")),
)
ROCM = Image(
    variant="rocm",
    repository="registry.example.org/rl/verl",
    tag="0.6-rocm",
    base="rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1",
    gpu_arch=("gfx942", "gfx950"),
    pip=Pip(packages=("ray[default]==2.52.1",), index_url="https://mirror.example.org/simple", no_deps=True),
    secrets=("netrc",),
    steps=(Step(run="mkdir -p /models", name="models", secrets=("hf_token",)),),
)
MINIMAL = Image(variant="cuda", repository="r.example.org/a", tag="1", base="ubuntu:24.04", apptainer=True)
ANY_USER = Image(
    variant="rocm", repository="r.example.org/b", tag="1", base="ubuntu:24.04", arbitrary_uid=True, workdir="/work",
    pip=Pip(packages=("numpy",)),
)  # fmt: skip
IMAGES = {"cuda": CUDA, "rocm": ROCM, "minimal": MINIMAL, "any-user": ANY_USER}
