"""Python of an image: the one that the base has; packages once each, in pip's notation, from an index that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.base_image import distribution_python, lacks_python, toolkit_version
from mngen.manifest.image import Image
from mngen.manifest.judging.commits import cut_short
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest

_PIN = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*===?\s*([^;,\s]+)\s*")
_OPTION = re.compile(r"(?:^|\s)(--?[A-Za-z][\w-]*)")
_NAMED = re.compile(r"[A-Za-z0-9]")
_VERSIONS = r"(?:===|~=|==|!=|<=|>=|<|>)\s*[^\s,;()=<>!~]+"
_REQUIREMENT = re.compile(  # https://packaging.python.org/en/latest/specifications/dependency-specifiers/
    rf"\s*[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?\s*(?:\[[^\]]*\])?\s*"
    rf"(?:\(\s*(?:{_VERSIONS}(?:\s*,\s*{_VERSIONS})*)?\s*\)|{_VERSIONS}(?:\s*,\s*{_VERSIONS})*)?\s*,?\s*(?:;.*)?"
)
_HINTS = {
    "--no-build-isolation": "move the requirement alone to pip.no_build_isolation",
    "--no-deps": "write pip: {no_deps: true} for all of them, or install this one in a step of its own",
    "--index-url": "write pip: {index_url: …}",
    "-i": "write pip: {index_url: …}",
    "--extra-index-url": "write pip: {extra_index_urls: […]}",
    "--find-links": "write pip: {find_links: […]}",
    "-f": "write pip: {find_links: […]}",
}
_OTHERWISE = "keep the requirement alone, and install what needs an option in a step: run: python3 -m pip install …"
_BRANCHES = frozenset({"main", "master", "develop", "dev", "trunk", "HEAD", "nightly", "stable"})


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse contradicting pins and comments in requirements; warn about sources that move."""
    for image in manifest.images.values():
        yield from _pins(image)
        yield from _notation(image)
        yield from _python(image)
        yield from _unguarded(image)
        yield from _index(image)
        yield from _moving(image)


def _requirements(image: Image) -> Iterator[tuple[str, str]]:
    yield from ((f"torch.packages.{index}", text) for index, text in enumerate(image.torch.packages))
    yield from image.pip.requirements.items()


def _pins(image: Image) -> Iterator[Diagnostic]:
    seen: dict[str, str] = {"torch": image.torch.version} if image.torch.version else {}
    for field, text in _requirements(image):
        match = _PIN.fullmatch(text)
        if match is None:
            continue
        name = re.sub(r"[-_.]+", "-", match[1]).lower()
        version = match[2].partition("+")[0] if name == "torch" else match[2]
        if seen.setdefault(name, version) != version:
            message = f"image.{field} asks for {name} {version}, but {name} {seen[name]} is asked for as well"
            yield image_finding(image, "MN811", field, message, hint="keep one version")


def _notation(image: Image) -> Iterator[Diagnostic]:
    for field, text in _requirements(image):
        option = _OPTION.search(text.partition(";")[0])
        named = _NAMED.match(text) and not re.search(r"[@/:\\]", text.partition(";")[0])
        if re.search(r"\s#|^#", text):
            message = f"image.{field} is {text!r}: pip reads nothing after the #"
            yield image_finding(image, "MN812", field, message, hint="end the YAML quotes before the comment")
        elif option is not None:
            message = f"image.{field} is {text!r}: it becomes one word, and {option[1]} is no part of a requirement"
            yield image_finding(image, "MN812", field, message, hint=_HINTS.get(option[1], _OTHERWISE))
        elif named and _REQUIREMENT.fullmatch(text) is None:
            message = f"image.{field} is {text!r}, which is no requirement to pip"
            hint = "write one requirement, as `name[extra]>=1.2,<2; python_version < '3.12'` (PEP 508)"
            yield image_finding(image, "MN812", field, message, hint=hint)


def _python(image: Image) -> Iterator[Diagnostic]:
    name, version = distribution_python(image.base)
    if image.python and image.needs_system_python and name and not f"{image.python}.".startswith(f"{version}."):
        message = f"image.python is {image.python}, but Python comes from {name} here, whose own is {version}"
        hint = f'write python: "{version}", or take a base that has {image.python}'
        yield image_finding(image, "MN816", "python", message, hint=hint)


def _unguarded(image: Image) -> Iterator[Diagnostic]:
    """Warn where a version of torch is asked for and no layer is checked for it: the check is a Python program."""
    wanted = image.torch.guard and image.torch.version and image.steps
    if wanted and lacks_python(image.base) and not image.needs_system_python:
        message = (
            f"image.torch.version is {image.torch.version}, and nothing checks it: before the steps there is no Python"
        )
        hint = "write system_python: true to have one, or torch: {guard: false} and a check in a step of your own"
        yield image_finding(image, "MN816", "torch.version", message, hint=hint, severity=Severity.WARNING)


def _index(image: Image) -> Iterator[Diagnostic]:
    if image.torch.wheel_index and not (image.toolkit or toolkit_version(image.base, image.variant)):
        message = f"image.torch.wheel_index needs the version of the base {image.base}, whose tag does not tell"
        yield image_finding(image, "MN814", "torch.wheel_index", message, hint='write toolkit: "12.8" into the variant')


def _moving(image: Image) -> Iterator[Diagnostic]:
    for index, source in enumerate(image.git):
        if source.ref in _BRANCHES:
            field = f"git.{index}.ref"
            message = f"image.{field} is {source.ref}, a branch: the next build takes other source"
            hint = "write a tag, or the full commit id"
            yield image_finding(image, "MN813", field, message, hint=hint, severity=Severity.WARNING)
        elif said := cut_short(f"image.git.{index}.ref", source.ref):
            message, hint = said
            yield image_finding(image, "MN821", f"git.{index}.ref", message, hint=hint, severity=Severity.WARNING)
