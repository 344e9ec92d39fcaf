"""The Python layers of an image: interpreter, pins and torch guard, torch, frameworks, sources."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.images import constraints, guard
from mngen.images.fetching import CA_BUNDLE, CERTIFICATES
from mngen.images.indexes import index_options, torch_index
from mngen.images.recipe import (
    Command,
    Commands,
    Copies,
    Layer,
    PipInstall,
    Variable,
    Variables,
    WorkingDirectory,
    WriteFile,
)
from mngen.manifest.image import GitSource, Image

DEFAULT_VENV = "/opt/venv"


def python_layers(image: Image) -> Iterator[Layer]:
    """Yield every layer that installs Python packages of mngen's own accord, in order."""
    yield from _version(image)
    yield from _interpreter(image)
    yield from _torch(image)
    yield from _frameworks(image)


def venv_path(image: Image) -> str:
    """Return the virtual environment's folder, or an empty text.

    Distributions mark their Python as externally managed (PEP 668), so their pip only installs into one.
    """
    if image.venv == "none":
        return ""
    return image.venv or (DEFAULT_VENV if image.needs_system_python else "")


def guarded(image: Image, layer: str) -> str:
    """Return the name that the torch guard checks a layer under, or an empty text when it does not."""
    return layer if guard.is_active(image) else ""


def _version(image: Image) -> Iterator[Layer]:
    """Yield the check of Python's version, before anything large is fetched for the wrong one."""
    if not image.python or not (image.uses_python or image.needs_system_python):
        return
    other = f'"python3 is " + has + "; the manifest asks for {image.python}"'
    program = (
        'import sys; has = ".".join(map(str, sys.version_info[:3])); '
        f'sys.exit(not (has + ".").startswith("{image.python}.") and {other})'
    )
    yield Commands(
        why=f"Python must be {image.python}; another one ends the build here, before packages are fetched for it.",
        commands=(Command(lines=(("python3", "-c", program),)),),
        origin="python",
    )


def _interpreter(image: Image) -> Iterator[Layer]:
    venv = venv_path(image)
    if venv:
        create = Command(lines=(("python3", "-m", "venv", "--system-site-packages", venv),))
        yield Commands(
            why="A virtual environment: the distribution's Python refuses pip (PEP 668). It sees the base's packages.",
            commands=(create,),
            origin="venv",
        )
        yield Variables(
            why="Its interpreter comes first on every node, for head, workers and driver alike.",
            variables=(
                Variable(name="VIRTUAL_ENV", value=venv),
                Variable(name="PATH", value=f"{venv}/bin", prepend=True),
            ),
        )
    if not (image.uses_python or image.pip.constraints or guard.is_active(image)):
        return
    pins = ("# Pins of this image; pip and uv keep to them, also at run time.", *constraints.pins(image))
    yield WriteFile(
        why="Pins that stay active: no later install may move these packages.",
        path=constraints.PATH,
        lines=pins,
        origin="pip",
    )
    active = " ".join(constraints.active_files(image))
    names = tuple(name for name in ("PIP_CONSTRAINT", "UV_CONSTRAINT") if name not in image.env.image)
    yield Variables(
        why="They also take the place of a constraint file that the base may set.",
        variables=tuple(Variable(name=name, value=active) for name in names),
    )
    yield from _guard(image)


def _guard(image: Image) -> Iterator[Layer]:
    if not guard.is_active(image):
        return
    why = "The torch guard: it runs after each install layer, and names the one that replaced torch."
    yield WriteFile(why=why, path=guard.PATH, lines=guard.program())
    yield WriteFile(why="What torch has to fit.", path=guard.WANTED, lines=(guard.wanted(image),))
    if not torch_index(image):
        yield Commands(why="The base's own torch is the one to keep.", commands=(), guard="base image", origin="base")


def _torch(image: Image) -> Iterator[Layer]:
    index = torch_index(image)
    if not index:
        return
    wanted = f"torch=={image.torch.version}" if image.torch.version else "torch"
    yield PipInstall(
        why="PyTorch, from the index of the base's own CUDA or ROCm version.",
        lines=(("--index-url", index), (wanted,), *((package,) for package in image.torch.packages)),
        env=_trust(image),
        secrets=image.secrets,
        guard=guarded(image, "torch"),
        origin="torch",
    )


def _frameworks(image: Image) -> Iterator[Layer]:
    pip = image.pip
    yield from _requirements(image, "pip.packages", "Python packages.", pip.packages)
    why = "Packages that are compiled against what is installed by now; pip would give their builds a torch of its own."
    yield from _requirements(image, "pip.no_build_isolation", why, pip.no_build_isolation)
    for number, source in enumerate(image.git):
        yield from _git(image, source, number)


def _requirements(image: Image, field: str, why: str, requirements: tuple[str, ...]) -> Iterator[Layer]:
    if not requirements:
        return
    isolated = field == "pip.packages"
    yield PipInstall(
        why=why,
        lines=(
            *(() if isolated else (("--no-build-isolation",),)),
            *((("--no-deps",),) if image.pip.no_deps else ()),
            *index_options(image),
            *((image.mirrors.text(requirement),) for requirement in requirements),
        ),
        env=_trust(image),
        secrets=image.secrets,
        guard=guarded(image, "pip packages" if isolated else "pip packages without build isolation"),
        origin=field,
    )


def _trust(image: Image) -> dict[str, str]:
    """Return the variable by which pip trusts the build secret ``ca-bundle``, where the image has one."""
    return {"PIP_CERT": CA_BUNDLE} if CERTIFICATES in image.secrets else {}


def _git(image: Image, source: GitSource, number: int) -> Iterator[Layer]:
    origin = f"git.{number}"
    name = source.path.rstrip("/").rpartition("/")[2]
    commit = image.pins.commits.get((source.url, source.ref), "")
    place = image.mirrors.source(source.url)
    what = f"{source.ref} of {source.url} when it was locked" if commit else f"one commit of {source.url}"
    yield WorkingDirectory(why=f"{name}: {what}, without its history.", path=source.path, origin=origin)
    git = ("git", "-c", f"http.sslCAInfo={CA_BUNDLE}") if _trust(image) else ("git",)
    commands = [
        Command(lines=(("git", "init", "--quiet", "."),)),
        Command(lines=((*git, "fetch", "--quiet", "--depth", "1", place, commit or source.ref),)),
        Command(lines=(("git", "checkout", "--quiet", "--detach", "FETCH_HEAD"),)),
    ]
    if source.submodules:
        update = (*git, "submodule", "update", "--quiet", "--init", "--recursive", "--depth", "1")
        commands.append(Command(lines=(update,)))
    yield Commands(why="", commands=tuple(commands), secrets=image.secrets, origin=origin)
    # git checks nothing out over files that it does not know.
    files = tuple(item for item in image.files if not item.early and image.checkout_of(item) == number)
    if files:
        yield Copies(why=f"Files of yours in {name}.", files=files, origin="files")
    if source.pip:
        yield PipInstall(
            why="",
            lines=(*index_options(image), source.pip),
            env=_trust(image) | dict(source.env),
            secrets=image.secrets,
            guard=guarded(image, f"git {name}"),
            origin=origin,
        )
