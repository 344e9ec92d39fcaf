"""What stands in for vendors' images, for packages of an index, and for a git server."""

import hashlib
import io
import json
import tarfile
import zipfile
from base64 import urlsafe_b64encode

from room import PLAIN, ROOM, Room

CUDA = "nvidia/cuda:12.8.1-devel-ubuntu24.04"
ROCM = "rocm/pytorch:rocm7.2_ubuntu22.04_py3.11_pytorch_release_2.9.1"
TINY = f"{PLAIN}/stand-in/tiny:1"
WITH_TORCH = f"{PLAIN}/stand-in/torch:12.8"

# No index is asked: packages lie in a folder, and sources are built with what the distribution has.
PIP_CONF = "[global]\nno-index = true\nfind-links = /srv/wheels\nno-build-isolation = false\n"
GIT_CONFIG = '[url "file:///srv/git/"]\n\tinsteadOf = https://github.com/\n[safe]\n\tdirectory = *\n'
SETUP = (
    "from setuptools import setup\nsetup(name='verl', version='0.6.0', py_modules=['verl'], install_requires=[%s])\n"
)
REPOSITORY = r"""
git init --quiet --bare --initial-branch=main /srv/git/volcengine/verl
git clone --quiet /srv/git/volcengine/verl /tmp/verl 2>/dev/null
cd /tmp/verl
for ref in v0.6.0 replaces-torch; do
  cp "/srv/setup-${ref}.py" setup.py
  echo 'NAME = "verl"' >verl.py
  git add . && git -c user.name=a -c user.email=a@example.org commit --quiet --message="${ref}"
  git tag "${ref}"
done
git push --quiet --tags origin HEAD:main
rm -rf /tmp/verl
"""
TINY_FILES = r"""
mkdir -p /r/usr/bin /r/usr/lib /r/usr/lib64 /r/etc /r/tmp /r/proc /r/sys /r/dev /r/root /r/var/tmp /r/opt
for each in bin lib lib64; do ln -s "usr/${each}" "/r/${each}"; done
cd /usr/bin
for each in bash sh cat cp date env install ls mkdir mv printf rm sleep test touch true; do
  cp -L "${each}" /r/usr/bin/
  { ldd "${each}" || true; } | { grep -o '/lib[^ ]*' || true; } >>/tmp/libraries
done
sort -u /tmp/libraries | while read -r each; do mkdir -p "/r$(dirname "${each}")"; cp -L "${each}" "/r${each}"; done
cp /etc/passwd /etc/group /r/etc/
"""
TORCH = "2.8.0"


def wheel(
    name: str, version: str, *, requires: str = "", extras: str = "", files: dict[str, str] | None = None
) -> bytes:
    """A wheel without content of its own: https://packaging.python.org/en/latest/specifications/binary-distribution-format/."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Provides-Extra: {extra}\n" for extra in extras.split())
    metadata += "".join(f"Requires-Dist: {one}\n" for one in requires.split())
    entries = {
        f"{name}/__init__.py": f"__version__ = {version!r}\n",
        **(files or {}),
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(
        f"{path},sha256={urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}\n"
        for path, text in entries.items()
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, text in {**entries, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(path, text)
    return out.getvalue()


def torch(version: str, *, cuda: str = "", hip: str = "") -> bytes:
    """A wheel that says what the torch guard reads."""
    text = f"__version__ = {version!r}\ncuda = {cuda or None!r}\nhip = {hip or None!r}\n"
    return wheel("torch", version, files={"torch/version.py": text})


def context() -> bytes:
    """The build context of all stand-ins as a tar stream."""
    files = {
        f"srv/wheels/{name}-py3-none-any.whl": data
        for name, data in {
            "ray-2.52.1": wheel("ray", "2.52.1", extras="default"),
            "hf_transfer-0.1.9": wheel("hf_transfer", "0.1.9"),
            "torch-2.8.0+cu128": torch("2.8.0+cu128", cuda="12.8"),
            "torch-2.8.0+cpu": torch("2.8.0+cpu"),
            "torch-2.9.1+rocm7.2": torch("2.9.1+rocm7.2", hip="7.2.26015"),
        }.items()
    }
    files |= {
        "srv/setup-v0.6.0.py": (SETUP % "").encode(),
        "srv/setup-replaces-torch.py": (SETUP % "'torch==2.8.0+cpu'").encode(),
        "etc/pip.conf": PIP_CONF.encode(),
        "etc/gitconfig": GIT_CONFIG.encode(),
        "repository.sh": REPOSITORY.encode(),
        "tiny.sh": TINY_FILES.encode(),
        "Dockerfile": DOCKERFILE.encode(),
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


INSTALL = "python3 -m pip install --quiet --break-system-packages --root-user-action=ignore"
DOCKERFILE = f"""\
FROM stand-in AS cuda
COPY etc /etc
COPY srv /srv
RUN --mount=type=bind,target=/context bash -eu /context/repository.sh

FROM cuda AS rocm
RUN {INSTALL} torch==2.9.1+rocm7.2

FROM cuda AS torch
RUN {INSTALL} torch==2.8.0+cu128

FROM stand-in AS all
RUN --mount=type=bind,target=/context bash -eu /context/tiny.sh

FROM scratch AS tiny
COPY --from=all /r /
"""


def make(room: Room) -> None:
    """Put all stand-ins into the plain registry, under the names that the examples use."""
    room.run("docker", "import", "base.tar", "stand-in")
    folder = room.path(f"{ROOM}/context")
    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(context())) as archive:
        archive.extractall(folder, filter="data")
    names = {"cuda": f"{PLAIN}/{CUDA}", "rocm": f"{PLAIN}/{ROCM}", "torch": WITH_TORCH, "tiny": TINY}
    for stage, name in names.items():
        room.run("docker", "buildx", "build", "--target", stage, "--tag", name, "--push", f"{ROOM}/context")


def digest(room: Room, reference: str, *login: str) -> str:
    """The digest that a registry has, asked with curl."""
    host, _, rest = reference.partition("/")
    name, _, tag = rest.rpartition(":")
    accept = "Accept: application/vnd.docker.distribution.manifest.v2+json"
    scheme = "http" if host.startswith("127.") else "https"
    head = room.run(
        "curl",
        "--silent",
        "--insecure",
        "--head",
        *login,
        "--header",
        accept,
        f"{scheme}://{host}/v2/{name}/manifests/{tag}",
    ).stdout
    return next(line.split()[1] for line in head.splitlines() if line.lower().startswith("docker-content-digest"))


def layers(room: Room, reference: str) -> list[str]:
    """The digests of an image's layers in the plain registry, the base's first."""
    host, _, rest = reference.partition("/")
    name, _, tag = rest.rpartition(":")
    accept = "Accept: application/vnd.docker.distribution.manifest.v2+json"
    found = room.run("curl", "--silent", "--fail", "--header", accept, f"http://{host}/v2/{name}/manifests/{tag}")
    return [layer["digest"] for layer in json.loads(found.stdout)["layers"]]


def document(text: str) -> dict:
    """The JSON document that a command printed."""
    return json.loads(text)
