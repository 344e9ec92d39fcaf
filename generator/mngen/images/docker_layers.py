"""Write the layers of a recipe as Dockerfile instructions, with what the chosen builder has.

=======================  =========  ======  =======
instruction              buildkit   podman  classic
=======================  =========  ======  =======
``RUN --mount``          yes        yes     no
``COPY --chmod``         yes        yes     no
here-documents           yes        no      no
``ARG`` over base's ENV  yes        no      no
=======================  =========  ======  =======

``buildkit`` means Docker 23 or newer, whose built-in frontend has all of them; no ``# syntax=`` line is
written, because it makes every build fetch a frontend image from a registry. Where a base's ``ENV`` wins over
``ARG``, each ``RUN`` exports the variables of the build instead. Sources: ``dispatchArg`` in
``frontend/dockerfile/dockerfile2llb/convert.go`` of https://github.com/moby/buildkit; ``Step`` in ``builder.go`` of
https://github.com/openshift/imagebuilder; ``FilterAllowed`` in ``daemon/builder/dockerfile/buildargs.go`` of
https://github.com/moby/moby.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.images import guard
from mngen.images.account import account_lines, user_id
from mngen.images.fetching import LOGINS, NETRC
from mngen.images.instruction import run_lines
from mngen.images.quoting import docker_value, here_document_name, shell_word
from mngen.images.recipe import (
    Account,
    Commands,
    Copies,
    Labels,
    Layer,
    PipInstall,
    SelfTest,
    SystemPackages,
    UserStep,
    Variable,
    Variables,
    WorkingDirectory,
    WriteFile,
)
from mngen.manifest.image import FileCopy, Image, Step

_APT_CACHES = tuple(f"target={folder},sharing=locked" for folder in ("/var/cache/apt", "/var/lib/apt"))

_MISREAD = re.compile(r"\\[ \t]*\n\s*(?:#|\Z)")
"""hadolint joins continued lines in here-documents too: a comment then gets lost, and so does the delimiter."""

_EVERYWHERE = frozenset({"", "/bin", "/etc", "/opt", "/root", "/srv", "/usr/bin", "/usr/local/bin", "/usr/local/sbin"})
"""Folders that every base has."""


class LayerWriter:
    """Turns the layers of one stage into instructions for the builder that the image is rendered for."""

    def __init__(self, image: Image) -> None:
        self._mounts = image.builder != "classic"
        self._cache = image.cache and self._mounts
        self._here_documents = image.builder == "buildkit"
        self._arguments_win = image.builder == "buildkit"
        self._exports: dict[str, str] = {}
        self._owner = ""
        self._tests = False

    def lines(self, layer: Layer) -> Iterator[str]:
        """Yield the lines of one layer, none when there is nothing to do."""
        match layer:
            case Variables():
                yield from self._variables(layer)
            case Copies():
                yield from _comment(layer.why)
                yield from self._parents(layer)
                for item in layer.files:
                    yield from self._copy(item)
            case WorkingDirectory():
                yield from _comment(layer.why)
                yield f"WORKDIR {layer.path}"
            case Account():
                yield from account_lines(layer)
                # A secret is root's, with mode 0400, unless its mount says otherwise:
                # https://docs.docker.com/reference/dockerfile/#run---mounttypesecret
                self._owner = f",uid={user_id(layer)}"
            case Labels():
                yield from _comment(layer.why)
                yield from (f"LABEL {key}={docker_value(value)}" for key, value in layer.labels.items())
            case SystemPackages() | Commands() | PipInstall() | WriteFile() | UserStep() | SelfTest():
                yield from self._running(layer)

    def _running(
        self, layer: SystemPackages | Commands | PipInstall | WriteFile | UserStep | SelfTest
    ) -> Iterator[str]:
        yield from _comment(layer.why)
        match layer:
            case SystemPackages():
                yield from self._system_packages(layer)
            case Commands():
                commands = [[" ".join(map(shell_word, line)) for line in item.lines] for item in layer.commands]
                yield from self._run([*commands, *_guard(layer.guard)], layer.secrets)
            case PipInstall():
                yield from self._pip(layer)
            case WriteFile():
                yield from self._write(layer)
            case UserStep():
                yield from self._script(layer.step, _guard(layer.guard))
            case SelfTest():
                self._exports, self._tests = {}, True  # the finished image, without what was there for its build
                yield from self._script(layer.step)

    def _variables(self, layer: Variables) -> Iterator[str]:
        exported = [item for item in layer.variables if item.build and not self._arguments_win]
        yield from _comment(layer.why if layer.variables else "")
        if exported:
            yield "# Each RUN exports them, because a variable of that name in the base would win over ARG."
        for item in layer.variables:
            if item in exported:
                self._exports[item.name] = item.value
            else:
                self._exports.pop(item.name, None)
                yield _variable(item)

    def _exported(self) -> list[list[str]]:
        """Return the command that sets the variables of the build, where ARG does not, for a RUN to begin with."""
        words = [f"{name}={shell_word(value)}" for name, value in self._exports.items()]
        return [[" ".join(("export", *words))]] if words else []

    def _run(
        self, commands: Sequence[Sequence[str]], secrets: tuple[str, ...] = (), caches: tuple[str, ...] = ()
    ) -> Iterator[str]:
        """Yield one RUN: mounts first, then commands of one or more lines each, joined by ``&&``."""
        mounts = [f"{mount}{self._owner}" for mount in _secret_mounts(secrets)]
        if LOGINS in secrets and not self._tests:
            mounts += [f"{mount},target={NETRC}" for mount in _secret_mounts((LOGINS,))]
        mounts += [f"--mount=type=cache,{options}" for options in caches if self._cache]
        yield from run_lines([*self._exported(), *commands], mounts)

    def _parents(self, layer: Copies) -> Iterator[str]:
        """Make folders beforehand: ``COPY --chmod`` gives the file's mode also to folders that it makes."""
        folders = dict.fromkeys(item.target.rpartition("/")[0] for item in layer.files if item.mode)
        missing = [folder for folder in folders if folder not in _EVERYWHERE]
        if missing:
            yield from run_lines([[f"mkdir -p {' '.join(missing)}"]])

    def _copy(self, item: FileCopy) -> Iterator[str]:
        source = f"--from={item.stage} " if item.stage else ""
        target = item.target if not item.folder or item.target.endswith("/") else f"{item.target}/"
        chmod = f"--chmod={item.mode} " if item.mode and self._mounts else ""
        yield f"COPY {chmod}{source}{item.source} {target}"
        if item.mode and not self._mounts:
            yield from run_lines([[f"chmod {item.mode} {item.place}"]])

    def _system_packages(self, layer: SystemPackages) -> Iterator[str]:
        apt = " ".join(("apt-get", *layer.options))
        install = [f"{apt} install -y --no-install-recommends", *(shell_word(item) for item in layer.packages)]
        commands = [[f"{apt} update"], install]
        if self._cache:
            # Debian's images delete downloads at once, which would empty the cache.
            commands.insert(0, ["rm -f /etc/apt/apt.conf.d/docker-clean"])
        else:
            commands.append(["rm -rf /var/lib/apt/lists/*"])
        # apt fetches as a user of its own, who must be able to read the certificates.
        mounts = [f"{mount},mode=0444" for mount in _secret_mounts(layer.secrets)]
        mounts += [f"--mount=type=cache,{options}" for options in _APT_CACHES if self._cache]
        yield from run_lines([*self._exported(), *commands], mounts)

    def _pip(self, layer: PipInstall) -> Iterator[str]:
        words = [" ".join(shell_word(word) for word in line) for line in layer.lines]
        assignments = "".join(f"{name}={shell_word(value)} " for name, value in layer.env.items())
        install = f"{assignments}python3 -m pip install" + ("" if self._cache else " --no-cache-dir")
        yield from self._run([[install, *words], *_guard(layer.guard)], layer.secrets, ("target=/root/.cache/pip",))

    def _write(self, layer: WriteFile) -> Iterator[str]:
        if self._here_documents:
            name = here_document_name("\n".join(layer.lines), "EOF")
            yield f"COPY <<'{name}' {layer.path}"
            yield from layer.lines
            yield name
            return
        folder = layer.path.rpartition("/")[0]
        words = [shell_word(line) for line in layer.lines]
        yield from run_lines([[f"mkdir -p {folder}"], ["printf '%s\\n'", *words, f"> {layer.path}"]])

    def _script(self, step: Step, after: Sequence[Sequence[str]] = ()) -> Iterator[str]:
        """Yield a user's text: its own lines where the builder has here-documents.

        They come in on descriptor 3, so that a command which reads standard input does not eat them.
        """
        text = step.run if step.run.endswith("\n") else f"{step.run}\n"
        if self._here_documents and not _MISREAD.search(text):
            name = here_document_name(text, "STEP")
            yield from self._run([[f"bash -euo pipefail /dev/fd/3 3<<'{name}'"], *after], step.secrets)
            yield f"{text}{name}"
            return
        *words, last = (shell_word(line) for line in text.rstrip("\n").split("\n"))
        script = ["bash -euo pipefail -c \"$(printf '%s\\n'", *words, f'{last})"']
        yield from self._run([script, *after], step.secrets)


def _comment(why: str) -> Iterator[str]:
    if why:
        yield f"# {why}"


def _variable(item: Variable) -> str:
    if item.prepend:
        return f'ENV {item.name}="{item.value}${{{item.name}:+:${item.name}}}"'
    return f"{'ARG' if item.build else 'ENV'} {item.name}={docker_value(item.value)}"


def _secret_mounts(secrets: tuple[str, ...]) -> list[str]:
    return [f"--mount=type=secret,id={name},required=true" for name in secrets]


def _guard(layer: str) -> list[list[str]]:
    return [[f"python3 {guard.PATH} {shell_word(layer)}"]] if layer else []
