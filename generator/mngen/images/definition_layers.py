"""Write the layers of a recipe as lines of ``%post``.

Facts used here, from https://github.com/apptainer/apptainer: ``%files`` is copied before ``%post`` runs
(``internal/pkg/build/stage.go``); ``%labels`` gives way to a label that the base has, the file named by
APPTAINER_LABELS does not (``internal/pkg/build/metadata.go``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mngen.images import guard
from mngen.images.quoting import definition_argument, definition_word, fits_definition, here_document_name
from mngen.images.recipe import (
    Account,
    Command,
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
from mngen.manifest.image import FileCopy, Step

INDENT = "    "
COPY = """\
    # As COPY of a Dockerfile: of a folder what is in it, a file as the target or into the folder that this is.
    copy() {
        if [[ -d $1 ]]; then
            mkdir -p "$2"
            cp -a "$1/." "$2/"
        else
            mkdir -p "${2%/*}/"
            cp -a "$1" "$2"
        fi
    }"""


def post_lines(layer: Layer, staged: Mapping[FileCopy, str]) -> Iterator[str]:
    """Yield one layer's lines; ``staged`` says where ``%files`` has put what is copied."""
    match layer:
        case Variables():
            yield from _comment(layer.why if layer.variables else "")
            yield from (export(item) for item in layer.variables)
        case Copies():
            yield from _comment(layer.why)
            for item in layer.files:
                yield from _copy(item, staged[item])
        case WorkingDirectory():
            yield from _comment(layer.why)
            yield f"{INDENT}mkdir -p {layer.path}"
            yield f"{INDENT}cd {layer.path}"
        case Account():
            yield from _account(layer)
        case Labels():
            yield from _labels(layer)
        case SelfTest():
            pass  # %test
        case SystemPackages() | Commands() | PipInstall() | WriteFile() | UserStep():
            yield from _running(layer)


def _running(layer: SystemPackages | Commands | PipInstall | WriteFile | UserStep) -> Iterator[str]:
    yield from _comment(layer.why)
    match layer:
        case SystemPackages():
            apt = " ".join(("apt-get", *layer.options))
            yield f"{INDENT}{apt} update"
            yield from _lines([f"{apt} install -y --no-install-recommends", *map(definition_word, layer.packages)])
            yield f"{INDENT}apt-get clean"
            yield f"{INDENT}rm -rf /var/lib/apt/lists/*"
        case WriteFile():
            yield from _write(layer)
        case Commands():
            for command in layer.commands:
                yield from _lines(_command(command))
            yield from _guard(layer.guard)
        case PipInstall():
            assignments = "".join(f"{name}={definition_word(value)} " for name, value in layer.env.items())
            words = [" ".join(map(definition_word, line)) for line in layer.lines]
            yield from _lines([f"{assignments}python3 -m pip install --no-cache-dir", *words])
            yield from _guard(layer.guard)
        case UserStep():
            yield from script_lines(layer.step)
            yield from _guard(layer.guard)


def export(item: Variable) -> str:
    """Return the line that sets a variable, for ``%post`` and ``%environment`` alike."""
    if item.prepend:
        return f'{INDENT}export {item.name}="{item.value}${{{item.name}:+:${item.name}}}"'
    return f"{INDENT}export {item.name}={definition_word(item.value)}"


def script_lines(step: Step) -> Iterator[str]:
    """Yield the call of a user's text: its own lines where the format allows, else one quoted argument.

    The text comes in on descriptor 3, so that a command which reads standard input does not eat it.
    """
    body = step.run if step.run.endswith("\n") else f"{step.run}\n"
    if fits_definition(body):
        name = here_document_name(body, "STEP")
        yield f"{INDENT}bash -euo pipefail /dev/fd/3 3<<'{name}'"
        yield body.removesuffix("\n")
        yield name
    else:
        yield f"{INDENT}bash -euo pipefail -c {definition_argument(body)}"


def _account(layer: Account) -> Iterator[str]:
    who = f"{layer.user.uid}:{layer.user.gid}" if layer.user else "any user id"
    yield f"{INDENT}# Docker runs this image as {who}. Under Apptainer the caller's own ids apply, so no user is made."


def _labels(layer: Labels) -> Iterator[str]:
    yield from _comment(f"{layer.why} Written here, because %labels gives way to labels of the base.")
    yield f"{INDENT}{{"
    for key, value in layer.labels.items():
        yield f"{INDENT * 2}printf '%s %s\\n' {key} {definition_word(value)}"
    yield f'{INDENT}}} >> "${{APPTAINER_LABELS:-${{SINGULARITY_LABELS}}}}"'


def _comment(why: str) -> Iterator[str]:
    if why:
        yield f"{INDENT}# {why}"


def _lines(lines: list[str]) -> Iterator[str]:
    """Yield one command, its further lines set in and continued."""
    for index, line in enumerate(lines):
        lead = INDENT if not index else INDENT * 2
        yield f"{lead}{line}{' ' + chr(92) if index < len(lines) - 1 else ''}"


def _copy(item: FileCopy, place: str) -> Iterator[str]:
    if item.folder:
        yield f"{INDENT}mkdir -p {item.target}"
        yield f"{INDENT}cp -a {place}/. {item.target.rstrip('/')}/"
    elif item.mode:
        yield f"{INDENT}install -D -m {item.mode} {place} {item.place}"
    else:
        yield f"{INDENT}copy {place} {item.target}"


def _command(command: Command) -> list[str]:
    return [" ".join(map(definition_word, line)) for line in command.lines]


def _write(layer: WriteFile) -> Iterator[str]:
    yield f"{INDENT}mkdir -p {layer.path.rpartition('/')[0]}"
    body = "\n".join(layer.lines)
    if fits_definition(body):
        name = here_document_name(body, "EOF")
        yield f"{INDENT}cat > {layer.path} <<'{name}'"
        yield body
        yield name
    else:
        yield from _lines(["printf '%s\\n'", *map(definition_word, layer.lines), f"> {layer.path}"])


def _guard(layer: str) -> Iterator[str]:
    if layer:
        yield f"{INDENT}python3 {guard.PATH} {definition_word(layer)}"
