"""What a build fetches, from the mirrors of the site where it has any."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from mngen.images.recipe import Command, Commands, Layer, SystemPackages, Variable, WriteFile
from mngen.manifest.image import Image, Step
from mngen.manifest.mirrors import Mirrors, instead

GIT_CONFIGURATION = "/etc/mngen/gitconfig"
"""Read as git's system configuration while building, from git 2.32 on: https://git-scm.com/docs/git-config"""
SECRETS = "/run/secrets"
"""Where BuildKit and podman mount build secrets, and so where steps read them, whoever builds."""
CERTIFICATES = "ca-bundle"
"""Id of the build secret that holds certificates; ``build-image --ca-bundle`` gives it."""
CA_BUNDLE = f"{SECRETS}/{CERTIFICATES}"
"""Where it is while a step runs."""
LOGINS = "netrc"
"""Id of the build secret that holds logins, in the form that pip, git and curl read."""
HOME = "/root"
"""Home of who builds, by Docker and by Apptainer."""
NETRC = f"{HOME}/.netrc"
"""Where the logins are while anything but a self-test runs: git and curl before 8.16 know no variable for the place.

Sources: ``CURLOPT_NETRC`` in ``http.c`` of https://github.com/git/git;
https://requests.readthedocs.io/en/latest/user/authentication/#netrc-authentication, by which pip finds it too;
https://curl.se/docs/manpage.html#-n.
"""
_MOVED = ":@//"
"""Stands in the place of ``://`` in what sed has moved; no URL has it."""
_READS_SOURCES = re.compile(r"\bapt(-get)?\b")


def variables(mirrors: Mirrors, taken: Collection[str]) -> dict[str, str]:
    """Return the variables of the build by which programs find mirrors; ``taken`` are names that the user sets."""
    found = mirrors.variables(taken)
    if mirrors.git and "GIT_CONFIG_SYSTEM" not in taken:
        found["GIT_CONFIG_SYSTEM"] = GIT_CONFIGURATION
    return found


def fixed(image: Image, values: Mapping[str, str], *, build: bool = False) -> tuple[Variable, ...]:
    """Return variables with these values; places in them that have a mirror are replaced."""
    return tuple(Variable(name=name, value=image.mirrors.text(value), build=build) for name, value in values.items())


def steps(image: Image, written: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the user's steps as they run."""
    return tuple(replace(step, run=image.mirrors.text(step.run)) for step in written)


def git_configuration(image: Image) -> Iterator[Layer]:
    """Let git go to mirrors also for what no text names: submodules, and packages that need others from git."""
    rewrites = image.mirrors.git_rewrites()
    if rewrites:
        lines = ["[include]", "\tpath = /etc/gitconfig"]
        for old, new in rewrites:
            lines += [*([f'[url "{new}"]'] if f'[url "{new}"]' not in lines else []), f"\tinsteadOf = {old}"]
        yield WriteFile(
            why="Git servers: the site's mirrors, while this image is built.",
            path=GIT_CONFIGURATION,
            lines=tuple(lines),
            origin="mirrors.git",
        )


def system_packages(image: Image, packages: tuple[str, ...], origin: str) -> SystemPackages:
    """Return the layer of the distribution's packages; apt trusts the build's certificates where it has any.

    Source: https://manpages.debian.org/stable/apt/apt-transport-https.1.en.html.
    """
    trusts = CERTIFICATES in image.secrets
    return SystemPackages(
        why="System packages.",
        packages=packages,
        options=("-o", f"Acquire::https::CAInfo={CA_BUNDLE}") if trusts else (),
        secrets=(CERTIFICATES,) if trusts else (),
        origin=origin,
    )


def package_sources(image: Image, packages: tuple[str, ...], written: tuple[Step, ...]) -> Iterator[Layer]:
    """Point the distribution's package sources to their mirrors where any are read: both forms of source files."""
    if not image.mirrors.apt or not (packages or any(_READS_SOURCES.search(step.run) for step in written)):
        return
    find = ("find", "/etc/apt", "-type", "f", "(", "-name", "*.list", "-o", "-name", "*.sources", ")")
    edits = tuple(("-e", edit) for edit in _edits(image.mirrors.apt))
    yield Commands(
        why="Package sources: the site's mirrors, in either form of source files. They stay so in the image.",
        commands=(Command(lines=(find, ("-exec", "sed", "-E", "-i"), *edits, ("{}", "+"))),),
        origin="mirrors.apt",
    )


def _edits(table: Mapping[str, str]) -> Iterator[str]:
    """Yield sed's replacements, the deepest place first: what it has moved none above it finds any more.

    Where one would, since a mirror is itself a place with a mirror, what was moved is marked until all are through.
    """
    places = sorted(table, key=lambda place: place.count("/"), reverse=True)
    again = any(
        instead({place: ""}, table[moved].partition("://")[2]) is not None
        for number, moved in enumerate(places)
        for place in places[number + 1 :]
    )
    for place in places:
        url = table[place].replace("://", _MOVED, 1) if again else table[place]
        yield _edit(place, url)
    if again:
        yield f"s#{_MOVED}#://#g"


def _edit(host: str, url: str) -> str:
    """Return sed's replacement of a place; more of the path, a blank or the end of the line follows it."""
    place = re.sub(r"[.+]", r"\\\g<0>", host)
    return rf"s#https?://{place}(/|[[:space:]]|$)#{url.rstrip('/')}\1#g"
