"""From a description to layers in order: system, Python with the torch guard, frameworks, user, labels.

What changes rarely comes first, so that a rebuild repeats as little as possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from mngen.images import constraints, contract, fetching
from mngen.images.arch import arch_variables
from mngen.images.python_layers import guarded, python_layers, venv_path
from mngen.images.recipe import (
    Account,
    BuildStage,
    Commands,
    Copies,
    Labels,
    Layer,
    PipInstall,
    Recipe,
    SelfTest,
    SystemPackages,
    UserStep,
    Variable,
    Variables,
    WorkingDirectory,
    WriteFile,
)
from mngen.manifest.fabrics import FABRICS, Fabric
from mngen.manifest.image import FileCopy, Image, Stage, Step

SYSTEM_PYTHON = ("python3", "python3-dev", "python3-pip", "python3-venv")

_PIP_DEFAULTS = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}


@lru_cache(maxsize=8)  # each file of an image is made from it, and what is said of one
def recipe(image: Image) -> Recipe:
    """Lay out the stages and layers of one variant."""
    final = BuildStage(name="", base=image.mirrors.image(image.pinned(image.base)), layers=tuple(_final_layers(image)))
    extra = tuple(_stage(image, stage, f"stages.{number}") for number, stage in enumerate(image.stages))
    return Recipe(stages=(*extra, final), workdir=image.workdir)


def _final_layers(image: Image) -> Iterator[Layer]:
    yield from _variables(image)
    yield from _copies("Files that system packages need.", tuple(item for item in image.files if item.early))
    yield from fetching.git_configuration(image)
    fabrics = [FABRICS[name] for name in image.fabrics]
    packages = _packages(image, fabrics)
    yield from fetching.package_sources(image, packages, (*image.steps, *image.self_test))
    if packages:
        yield fetching.system_packages(image, packages, "apt")
    yield from _copies("Files from beside the manifest and from other stages.", _late(image))
    yield from python_layers(image)
    yield WorkingDirectory(why="Steps run here, and a container starts here.", path=image.workdir, origin="workdir")
    yield from _steps(image)
    yield from _overridden(image)
    why = "The contract with the launch files: every node compares it before Ray starts."
    yield WriteFile(why=why, path=contract.PATH, lines=contract.lines(image))
    if image.user or image.arbitrary_uid:
        yield Account(user=image.user, arbitrary_uid=image.arbitrary_uid, folders=_owned(image), origin="user")
    for number, step in enumerate(fetching.steps(image, image.self_test)):
        why = f"Self-test {step.name or number + 1}, in the finished image."
        yield SelfTest(why=why, step=step, origin=f"self_test.{number}")
    for why, probe in dict.fromkeys((row.probe_why, row.probe) for row in fabrics if row.probe):
        yield SelfTest(why=why, step=Step(run=probe))
    yield Labels(why="What a registry and `inspect` show.", labels=contract.labels(image), origin="labels")


def _packages(image: Image, fabrics: Sequence[Fabric]) -> tuple[str, ...]:
    """Return the distribution's packages; one that the manifest names, perhaps with a version, is not added again."""
    own = (*(SYSTEM_PYTHON if image.needs_system_python else ()), *image.git_packages)
    named = {re.split(r"[:=/]", package)[0] for package in image.apt}
    added = (name for name in (*own, *(name for row in fabrics for name in row.packages)) if name not in named)
    return tuple(dict.fromkeys((*image.apt, *added)))


def _variables(image: Image) -> Iterator[Layer]:
    derived = {"DEBIAN_FRONTEND": "noninteractive", **_PIP_DEFAULTS}
    if not venv_path(image):
        derived["PIP_BREAK_SYSTEM_PACKAGES"] = "1"
    placed = {*image.env.build, *image.env.image}
    derived |= fetching.variables(image.mirrors, placed)
    both = {name for name in image.env.build if name in image.env.image}
    build = {name: value for name, value in derived.items() if name not in placed} | {
        name: value for name, value in image.env.build.items() if name not in both
    }
    yield Variables(
        why="Variables of the build alone.",
        variables=fetching.fixed(image, build, build=True),
        origin="env.build",
    )
    shipped = {"PYTHONNOUSERSITE": "1"} if "PYTHONNOUSERSITE" not in placed else {}
    shipped |= arch_variables(image) | {
        name: image.env.build.get(name, value) for name, value in image.env.image.items()
    }
    variables = list(fetching.fixed(image, shipped))
    variables += [
        Variable(name=name, value=":".join(folders), prepend=True) for name, folders in image.env.prepend.items()
    ]
    yield Variables(why="Variables of the image, also at run time.", variables=tuple(variables), origin="env")


def _overridden(image: Image) -> Iterator[Layer]:
    """Set variables that have one value while building and another one at run time."""
    both = {name: value for name, value in image.env.image.items() if name in image.env.build}
    if both:
        yield Variables(
            why="These had another value while building.",
            variables=fetching.fixed(image, both),
            origin="env.image",
        )


def _copies(why: str, files: tuple[FileCopy, ...], origin: str = "files") -> Iterator[Layer]:
    if files:
        yield Copies(why=why, files=files, origin=origin)


def _late(image: Image) -> tuple[FileCopy, ...]:
    pins = (FileCopy(source=source, target=place, mode="0644") for source, place in constraints.user_files(image))
    files = (item for item in image.files if not item.early and image.checkout_of(item) is None)
    return (*files, *pins)


def _steps(image: Image) -> Iterator[Layer]:
    for number, step in enumerate(fetching.steps(image, image.steps)):
        title = step.name or str(number + 1)
        guard_name = guarded(image, f"step {title}")
        yield UserStep(why=f"Step {title}.", step=step, guard=guard_name, origin=f"steps.{number}")


def _owned(image: Image) -> tuple[str, ...]:
    """Return the folders that the image's user writes to."""
    return () if image.workdir == "/" else (image.workdir,)


def _stage(image: Image, stage: Stage, origin: str) -> BuildStage:
    layers = tuple(_stage_layers(image, stage, origin))
    earlier = {other.name for other in image.stages}
    base = stage.base if stage.base in earlier else image.mirrors.image(image.pinned(stage.base))
    return BuildStage(name=stage.name, base=base, layers=layers, origin=f"{origin}.base")


def _stage_layers(image: Image, stage: Stage, origin: str) -> Iterator[Layer]:
    if not (stage.apt or stage.files or stage.steps):
        return  # its base's files are all that is taken of it, so nothing is started in it, not even a shell
    build = {"DEBIAN_FRONTEND": "noninteractive", **fetching.variables(image.mirrors, stage.env), **stage.env}
    yield Variables(
        why="Variables of this stage alone.",
        variables=fetching.fixed(image, build, build=True),
        origin=f"{origin}.env",
    )
    if stage.steps:
        yield from fetching.git_configuration(image)
    yield from fetching.package_sources(image, stage.apt, stage.steps)
    if stage.apt:
        yield fetching.system_packages(image, stage.apt, f"{origin}.apt")
    yield from _copies("Files from beside the manifest and from other stages.", stage.files, f"{origin}.files")
    yield WorkingDirectory(why="Steps run here.", path="/", origin=origin)
    for number, step in enumerate(fetching.steps(image, stage.steps)):
        yield UserStep(why=f"Step {step.name or number + 1}.", step=step, origin=f"{origin}.steps.{number}")


def layer_secrets(layers: tuple[Layer, ...]) -> tuple[str, ...]:
    """Return the ids of all secrets that any layer reads."""
    found: list[str] = []
    for layer in layers:
        if isinstance(layer, (Commands, PipInstall, SystemPackages)):
            found.extend(layer.secrets)
        elif isinstance(layer, (UserStep, SelfTest)):
            found.extend(layer.step.secrets)
    return tuple(dict.fromkeys(found))


def tested_secrets(layers: tuple[Layer, ...]) -> tuple[str, ...]:
    """Return the ids of the secrets that self-tests read."""
    return layer_secrets(tuple(layer for layer in layers if isinstance(layer, SelfTest)))


def all_steps(image: Image) -> tuple[Step, ...]:
    """Return every piece of the user's shell text in an image, stages included."""
    staged = (step for stage in image.stages for step in stage.steps)
    return fetching.steps(image, (*staged, *image.steps, *image.self_test))
